import { setFlagsFromString } from 'node:v8';
import type { Message } from '@palimpsest/core';
import { timedRound } from '../timed-round.ts';
import { longTranscript } from './long-transcript.ts';
import type { Order, Run } from './measure-growth.ts';
import { subjects } from './subjects.ts';

// Measures one order, given as JSON. Results go to standard error, since V8 writes its garbage-collection trace, from
// which the peak heap is read, to standard output.
const order = JSON.parse(process.argv[2]!) as Order;
const runs: Run[] = [];
for (const subject of order.subjects)
  for (let round = -1; round < order.rounds; round++)
    for (const size of order.sizes) runs.push(await run(subject, size, round < 0));
process.stderr.write(`\n${JSON.stringify(runs)}\n`);

/** Runs one measurement. The first round warms up, with garbage collections traced; the others are timed. */
async function run(subject: string, size: number, isWatched: boolean): Promise<Run> {
  // Parse into new objects, so that no cache keyed by object survives from the previous round.
  const messages = JSON.parse(JSON.stringify(longTranscript(size))) as Message[];
  const work = subjects[subject]!(messages);
  const collect = gc as NonNullable<typeof gc>;
  collect();
  const heapBefore = process.memoryUsage().heapUsed;
  if (isWatched) {
    setFlagsFromString('--trace-gc');
    // The trace line of this collection marks the start of a measurement.
    collect({ type: 'minor' } as unknown as boolean);
  }
  // Compact the result referenced until the heap is read, so that it counts toward the peak.
  let result: unknown;
  const timed = await timedRound(async () => {
    result = await work();
  });
  const heapAfter = process.memoryUsage().heapUsed;
  if (isWatched) setFlagsFromString('--no-trace-gc');
  if (result === undefined) throw new Error(`"${subject}" returned no result`);
  return { subject, size, isWatched, ...timed, heapBefore, heapAfter };
}
