import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { BenchOptions, SectionResult } from './section.ts';
import { sections } from './sections/index.ts';

/**
 * Runs a section in its own process.
 * @throws when the process fails; its error output has already been printed
 */
export async function runApart(section: string, options: BenchOptions): Promise<SectionResult> {
  const program = fileURLToPath(import.meta.url);
  const given = [...process.execArgv, program, section, JSON.stringify(options)];
  const child = spawn(process.execPath, given, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve));
  const output = await text(child.stdout);
  if ((await ended) !== 0)
    throw new Error(`The section "${section}" failed in its own process; its error output is above.`);
  return JSON.parse(output) as SectionResult;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [name, options] = process.argv.slice(2) as [string, string];
  const section = sections.find((one) => one.name === name)!;
  process.stdout.write(JSON.stringify(await section.run(JSON.parse(options) as BenchOptions)));
}
