import { closeSync, openSync, writeSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Message } from '@palimpsest/core';
import { type BenchOptions, count, type Measured, type Section } from '../section.ts';
import { longTranscript } from '../speed/long-transcript.ts';
import { atMost, failing, inUnit } from '../target.ts';
import { bundleCommand, type Throughput } from '../trajectory/run-throughput.ts';

/** Measures the trajectory command on a generated data set: rows per second, scaling to two workers, and memory. */
export const trajectory: Section = {
  name: 'trajectory',
  title: 'Trajectories: rows per second, scaling, memory',
  async measure({ quick }: BenchOptions): Promise<Measured> {
    const folder = await mkdtemp(join(tmpdir(), 'palimpsest-trajectory-'));
    const command = await bundleCommand();
    try {
      const input = join(folder, 'generated.jsonl');
      writeAgentRows(input, quick ? 4e6 : 64e6);
      const megabytes = (await stat(input)).size / 1e6;
      const runs: [Throughput[], Throughput[]] = [[], []];
      // In turns.
      for (let round = 0; round < (quick ? 1 : 3); round++)
        for (const [at, some] of runs.entries()) some.push(await command.run(input, at + 1));
      // The fastest run is the least disturbed.
      const [one, two] = runs.map((some) => some.reduce((a, b) => (b.seconds < a.seconds ? b : a))) as [
        Throughput,
        Throughput,
      ];
      const waste = two.processorSeconds / one.processorSeconds;
      return {
        report: [
          `Speed with two workers, relative to one: **${(one.seconds / two.seconds).toFixed(2)} x** on ${megabytes.toFixed(0)} MB. A run counts every row exactly (o200k_base), compacts rows over 15,250 tokens with the extractive writer, and writes output, metrics, report and journal. Process start-up is included.`,
          {
            head: 'workers,rows,compacted,rows/s,MB/s,processor time (s),peak memory (MB)'.split(','),
            rows: [one, two].map((run) => [
              String(run.workers),
              ...[run.rows, run.compacted, Math.round(run.rows / run.seconds)].map(count),
              (megabytes / run.seconds).toFixed(1),
              run.processorSeconds.toFixed(1),
              run.peakMegabytes.toFixed(0),
            ]),
          },
        ],
        figures: { megabytes, one, two },
        broken:
          one.rows === two.rows && one.compacted === two.compacted
            ? []
            : ['two workers processed or compacted a different number of rows than one'],
        targets: [
          failing(
            atMost('trajectory', 'peak memory', 400, Math.max(one.peakMegabytes, two.peakMegabytes), inUnit(0, 'MB')),
          ),
          // The single short round of a quick run is mostly start-up time and noise.
          failing(
            atMost('trajectory', 'processor time of two workers', 1.6, waste, inUnit(2, 'x that of one')),
            'in full',
          ),
        ],
      };
    } finally {
      await command.remove();
      await rm(folder, { recursive: true });
    }
  },
};

/** Messages of one request and its tool calls, as {@link longTranscript} generates them. */
const turnsOfRow = 51;
const distinct = 200;
/** One of every this many rows is long. */
const longEvery = 20;

/** Writes a data set of about `bytes` bytes and returns its number of rows. Most rows are short, as in real data sets; one in twenty has over 25,000 tokens. */
function writeAgentRows(path: string, bytes: number): number {
  const session = longTranscript(turnsOfRow * distinct);
  const starts = session.flatMap(({ role }, index) => (role === 'user' ? [index] : []));
  const file = openSync(path, 'w');
  let rows = 0;
  for (let written = 0; written < bytes; rows++) {
    const start = starts[rows % starts.length]!;
    const length = rows % longEvery === longEvery - 1 ? turnsOfRow : 5;
    const messages: Message[] = [
      { role: 'system', content: `You are a coding agent, run ${rows}.` },
      ...session.slice(start, start + length),
      { role: 'assistant', content: 'Done.' },
    ];
    written += writeSync(file, `${JSON.stringify({ id: rows, messages })}\n`);
  }
  closeSync(file);
  return rows;
}
