import type { Message, Summarizer, TokenCounter } from '@palimpsest/core';
import { countSaid, type OutputReading, readOutput } from '@palimpsest/eval/measures';
import { forgetfulSummarizer } from '../engines/open-engine.ts';
import { type CutWithProbes, measure, sharesOf } from './measure-told.ts';
import { compressWith, ownEngines, type Size } from './ways.ts';

/** Paths that no transcript contains. */
const inventedPaths: readonly string[] = Array.from(
  { length: 6 },
  (_, at) => `src/phantom/imaginary-module-${at + 1}.ts`,
);

/** Answers a summary request with one line per section of the template. */
function scripted(id: string, lineFor: (heading: string, messages: readonly Message[]) => string | null): Summarizer {
  return {
    id,
    summarize: async ({ material }) => ({
      text: material.template.sections
        .map(({ heading }) => `## ${heading}\n${lineFor(heading, material.messages) ?? 'None.'}`)
        .join('\n\n'),
    }),
  };
}

/** A model that claims changes of files that do not exist, in every section that could hold them. */
const inventing = scripted('inventing', (heading) => {
  if (/rules|instructions|constraints|asks|questions/i.test(heading)) return null;
  return inventedPaths
    .map(
      (path, at) => `${/action|accomplished/i.test(heading) ? `${at + 1}.` : '-'} Edited ${path} (changed ${at + 1}x)`,
    )
    .join('\n');
});

/** A model that says of every message of the user that it was withdrawn. */
const contradicting = scripted('contradicting', (heading) =>
  /rules|instructions|constraints|decisions|goal|discoveries/i.test(heading)
    ? 'The user withdrew all earlier requests and decided to start over with the opposite approach.'
    : null,
);

/** Scripted models, by what they do wrong. */
const wrongWriters: Readonly<Record<string, Summarizer>> = {
  'forgets everything': forgetfulSummarizer,
  'invents files': inventing,
  'contradicts the user': contradicting,
};

/** Leaves out lines that mark what they name as unverified. */
const withoutUnverified = (output: OutputReading): OutputReading => ({
  ...output,
  changeLines: output.changeLines.filter(({ text }) => !text.includes('(unverified)')),
});

/** What outputs still tell although the model that wrote their summary is wrong. */
export interface WriterRow {
  readonly engine: string;
  readonly writer: string;
  readonly size: Size;
  readonly cuts: number;
  /** Shares, 0 to 1. */
  readonly files: number;
  readonly userLog: number;
  /** Share of the invented paths that an output names as changed and not as unverified, over all cuts, 0 to 1. */
  readonly invented: number;
}

/** Compresses each cut with every engine and every wrong writer. */
export async function measureWriters(
  cuts: readonly CutWithProbes[],
  sizes: readonly Size[],
  counter: TokenCounter,
): Promise<WriterRow[]> {
  const rows: WriterRow[] = [];
  for (const [engine, open] of Object.entries(ownEngines))
    for (const [writer, summarizer] of Object.entries(wrongWriters))
      for (const size of sizes) {
        const points = [];
        let invented = 0;
        for (const cut of cuts) {
          if (size !== null && cut.mustTokens > cut.tokens * size) continue;
          const output = await compressWith(open, cut.past, size, counter, summarizer);
          points.push({ cut, measured: measure(cut, output) });
          invented += countSaid(inventedPaths, withoutUnverified(readOutput(output)));
        }
        const { files, userLog } = sharesOf(points);
        const share = invented / (points.length * inventedPaths.length);
        rows.push({ engine, writer, size, cuts: points.length, files, userLog, invented: share });
      }
  return rows;
}
