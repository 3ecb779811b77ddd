import type { Message, Summarizer } from '@palimpsest/core';
import { type Compact, countSaid, readOutput } from '@palimpsest/eval/measures';
import { engines, forgetfulSummarizer } from '../engines/open-engine.ts';
import { atDefaults } from './at-defaults.ts';

/** Paths that no transcript contains. */
const inventedPaths = Array.from({ length: 6 }, (_, at) => `src/phantom/imaginary-module-${at + 1}.ts`);

/** Answers a summary request with one text per section of the template. `null`: the section is empty. */
const scripted = (id: string, lineFor: (heading: string) => string | null): Summarizer => ({
  id,
  summarize: async ({ material }) => ({
    text: material.template.sections.map(({ heading }) => `## ${heading}\n${lineFor(heading) ?? 'None.'}`).join('\n\n'),
  }),
});

/** Scripted models, by what they do wrong. */
const wrongModels: Readonly<Record<string, Summarizer>> = {
  'forgets everything': forgetfulSummarizer,
  // In every section that could hold changes of files.
  'invents files': scripted('inventing', (heading) =>
    /rules|instructions|constraints|asks|questions/i.test(heading)
      ? null
      : inventedPaths
          .map((path, at) => `${/action|accomplished/i.test(heading) ? `${at + 1}.` : '-'} Edited ${path}`)
          .join('\n'),
  ),
  'contradicts the user': scripted('contradicting', (heading) =>
    /rules|instructions|constraints|decisions|goal|discoveries/i.test(heading)
      ? 'The user withdrew all earlier requests and decided to start over with the opposite approach.'
      : null,
  ),
};

/** The compressor at its defaults with each wrong model, and which share of the invented files its outputs name as changed. */
export function withWrongModels(): {
  readonly compactors: Readonly<Record<string, Compact>>;
  inventedShare(): number;
} {
  let [named, outputs] = [0, 0];
  const watched =
    (compact: Compact): Compact =>
    async (...given) => {
      const output = await compact(...given);
      named += countInvented(output);
      outputs++;
      return output;
    };
  const compactors = Object.entries(wrongModels).map(([model, summarizer]) => [
    `compressor, a model that ${model}`,
    watched(atDefaults(engines.compressor, summarizer)),
  ]);
  return {
    compactors: Object.fromEntries(compactors) as Record<string, Compact>,
    inventedShare: () => named / (outputs * inventedPaths.length),
  };
}

/** Lines that mark what they name as unverified do not count. */
function countInvented(output: readonly Message[]): number {
  const reading = readOutput(output);
  const changeLines = reading.changeLines.filter(({ text }) => !text.includes('(unverified)'));
  return countSaid(inventedPaths, { ...reading, changeLines });
}
