import type { Message } from '@palimpsest/core';
import { cutsOf } from '@palimpsest/eval/measures';
import { createTokenCounter } from '@palimpsest/tokens';
import { writeExtract } from '../extract.ts';
import { markdownTable } from '../markdown-table.ts';
import type { BenchOptions, Section, SectionResult } from '../section.ts';
import { type Spread, spreadOf, withRange } from '../spread.ts';
import { atMost, inUnit } from '../target.ts';
import { calmest, type Round, timedRound } from '../timed-round.ts';
import { readTranscripts } from '../transcripts.ts';

/** Target time, in milliseconds of processor time per megabyte. */
const mostPerMegabyte = 150;

/** Measures the time of the extractive writer, which needs no model. What it keeps is in the section on fidelity. */
export const extractiveWriter: Section = {
  name: 'extractive',
  title: 'The extractive writer',
  async run({ dataFolder, quick }: BenchOptions): Promise<SectionResult> {
    const counter = createTokenCounter();
    const pool = readTranscripts(dataFolder)
      .filter((transcript) => !cutsOf(transcript, counter, [0.4, 0.55, 0.7]).next().done)
      .flatMap(({ messages }) => messages);
    const speeds: Speed[] = [];
    for (const megabytes of quick ? [1] : [0.5, 1, 2, 4])
      speeds.push(await measureSpeed(pool, megabytes, quick ? 3 : 9));
    return {
      markdown: markdownTable(
        ['text', 'processor time, ms: median (min to max)', 'per MB'],
        speeds.map(({ megabytes, spread, perMegabyte }) => [
          `${megabytes.toFixed(1)} MB`,
          withRange(spread, 0),
          `${perMegabyte.toFixed(0)} ms`,
        ]),
      ),
      figures: { speed: speeds },
      broken: [],
      targets: speeds
        .filter(({ megabytes }) => megabytes > 0.9 && megabytes < 1.2)
        .map(({ perMegabyte }) =>
          atMost('extractive writer', 'time per megabyte', mostPerMegabyte, perMegabyte, inUnit(0, 'ms')),
        ),
    };
  },
};

interface Speed {
  readonly megabytes: number;
  readonly spread: Spread;
  readonly perMegabyte: number;
}

/** Measures processor time on the first messages of a pool. @param wanted size of their text in megabytes */
async function measureSpeed(pool: readonly Message[], wanted: number, runs: number): Promise<Speed> {
  const messages: Message[] = [];
  let bytes = 0;
  for (const message of pool) {
    if (bytes >= wanted * 1e6) break;
    messages.push(message);
    bytes += textSize(message);
  }
  const rounds: Round[] = [];
  for (let run = 0; run < runs; run++) rounds.push(await timedRound(() => writeExtract(messages, 12_000)));
  const spread = spreadOf(calmest(rounds));
  return { megabytes: bytes / 1e6, spread, perMegabyte: spread.median / (bytes / 1e6) };
}

function textSize(message: Message): number {
  const content = typeof message.content === 'string' ? message.content.length : 0;
  return content + (message.tool_calls ? JSON.stringify(message.tool_calls).length : 0);
}
