import { answerIfMain, inOwnProcess } from './own-process.ts';
import type { BenchOptions, Measured } from './section.ts';
import { sections } from './sections/index.ts';

/** Runs a section in its own process. */
export const runApart = (section: string, options: BenchOptions): Promise<Measured> =>
  inOwnProcess(import.meta.url, { section, options });

await answerIfMain(import.meta.url, ({ section, options }: { section: string; options: BenchOptions }) =>
  sections.find(({ name }) => name === section)!.measure(options),
);
