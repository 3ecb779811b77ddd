import { setFlagsFromString } from 'node:v8';
import type { Message } from '@palimpsest/core';
import { longTranscript } from '../pruning/long-transcript.ts';
import { timedRound } from '../timed-round.ts';
import type { Order, Run } from './measure-growth.ts';
import { subjects } from './subjects.ts';

// Measures one order, given as JSON. What was measured goes to the standard error, since the standard output is where
// the engine under us tells of its collections: the peak of the heap is read from there.
const order = JSON.parse(process.argv[2]!) as Order;
const runs: Run[] = [];
for (const subject of order.subjects)
  for (let round = -1; round < order.rounds; round++)
    for (const size of order.sizes) runs.push(await run(subject, size, round < 0));
process.stderr.write(`\n${JSON.stringify(runs)}\n`);

/** The first round warms up and is watched; the others are timed. */
async function run(subject: string, size: number, isWatched: boolean): Promise<Run> {
  // Parsed anew, so that nothing that is remembered by object survives from the round before.
  const messages = JSON.parse(JSON.stringify(longTranscript(size))) as Message[];
  const work = subjects[subject]!(messages);
  const collect = gc as NonNullable<typeof gc>;
  collect();
  const heapBefore = process.memoryUsage().heapUsed;
  if (isWatched) {
    setFlagsFromString('--trace-gc');
    // Its line says that a measurement begins.
    collect({ type: 'minor' } as unknown as boolean);
  }
  // Held until the heap is read: what comes out is part of the peak.
  let result: unknown;
  const timed = await timedRound(async () => {
    result = await work();
  });
  const heapAfter = process.memoryUsage().heapUsed;
  if (isWatched) setFlagsFromString('--no-trace-gc');
  if (result === undefined) throw new Error(`${subject} gave nothing`);
  return { subject, size, isWatched, ...timed, heapBefore, heapAfter };
}
