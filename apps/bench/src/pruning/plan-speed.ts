import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Message, Transcript } from '@palimpsest/core';
import { plan } from '@palimpsest/pruner';
import { createTokenCounter } from '@palimpsest/tokens';
import { ageNewObjects, processorTime } from '../processor-time.ts';
import { median, type Spread, spreadOf } from '../spread.ts';
import { longTranscript } from './long-transcript.ts';

/** Milliseconds of processor time, the transcript's tokens being counted. */
export interface PlanSpeed {
  readonly messages: number;
  readonly tokens: number;
  readonly edits: number;
  /** The first plan of a process: nothing is known, and no code is compiled. */
  readonly fresh: number;
  /** Messages that nothing ever looked at, in a process that planned before: the median. */
  readonly cold: number;
  /** The same messages again: the median. */
  readonly warm: number;
}

/** With how far the processes were apart. */
export interface SpreadPlanSpeed extends PlanSpeed {
  readonly spread: { readonly fresh: Spread; readonly cold: Spread; readonly warm: Spread };
}

/** Rounds after which the code is compiled. */
const warmingUp = 3;

/** Times one length in this process; the first plan is only fresh when nothing was planned before. */
export async function timePlan(length: number, repetitions: number): Promise<PlanSpeed> {
  const text = JSON.stringify(longTranscript(length));
  const counter = createTokenCounter();
  const warm: number[] = [];
  const times: number[] = [];
  let tokens = 0;
  let edits = 0;
  for (let round = 0; round <= warmingUp + repetitions; round++) {
    // Parsed anew, so that nothing that is remembered by object survives from the round before.
    const transcript = Transcript.of(JSON.parse(text) as Message[], counter);
    tokens = Math.round(transcript.totalTokens);
    const work = (): void => {
      edits = plan(transcript).length;
    };
    ageNewObjects();
    times.push(await processorTime(work));
    if (round > warmingUp) for (let again = 0; again < 3; again++) warm.push(await processorTime(work));
  }
  return {
    messages: length,
    tokens,
    edits,
    fresh: times[0]!,
    cold: median(times.slice(1 + warmingUp)),
    warm: median(warm),
  };
}

/** Times one length in fresh processes, and takes the medians. */
export function timeInFreshProcesses(length: number, repetitions: number, processes: number): SpreadPlanSpeed {
  const runs = Array.from({ length: processes }, () => {
    const output = execFileSync(process.execPath, [
      '--expose-gc',
      ...process.execArgv,
      fileURLToPath(import.meta.url),
      String(length),
      String(repetitions),
    ]);
    return JSON.parse(String(output)) as PlanSpeed;
  });
  const of = (kind: 'fresh' | 'cold' | 'warm'): Spread => spreadOf(runs.map((run) => run[kind]));
  const spread = { fresh: of('fresh'), cold: of('cold'), warm: of('warm') };
  const { fresh, cold, warm } = spread;
  return { ...runs[0]!, fresh: fresh.median, cold: cold.median, warm: warm.median, spread };
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  process.stdout.write(JSON.stringify(await timePlan(Number(process.argv[2]), Number(process.argv[3]))));
