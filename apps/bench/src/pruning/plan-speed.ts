import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Transcript } from '@palimpsest/core';
import { plan } from '@palimpsest/pruner';
import { createTokenCounter } from '@palimpsest/tokens';
import { median, type Spread, spreadOf } from '../spread.ts';
import { longTranscript } from './long-transcript.ts';

export interface PlanSpeed {
  readonly messages: number;
  readonly tokens: number;
  readonly edits: number;
  /** Milliseconds of the first plan in a fresh process, the transcript's tokens being counted. */
  readonly cold: number;
  /** Milliseconds, the median of repeated plans. */
  readonly warm: number;
}

/** With how far the processes were apart. */
export interface SpreadPlanSpeed extends PlanSpeed {
  readonly spread: { readonly cold: Spread; readonly warm: Spread };
}

/** Times one length in this process; the first plan is only cold when nothing was planned before. */
export function timePlan(length: number, repetitions: number): PlanSpeed {
  const transcript = Transcript.of(longTranscript(length), createTokenCounter());
  const times: number[] = [];
  let edits = 0;
  for (let run = 0; run <= repetitions; run++) {
    const start = performance.now();
    edits = plan(transcript).length;
    times.push(performance.now() - start);
  }
  const [cold, ...rest] = times;
  return { messages: length, tokens: Math.round(transcript.totalTokens), edits, cold: cold!, warm: median(rest) };
}

/** Times one length in fresh processes, and takes the medians. */
export function timeInFreshProcesses(length: number, repetitions: number, processes: number): SpreadPlanSpeed {
  const runs = Array.from({ length: processes }, () => {
    const output = execFileSync(process.execPath, [
      ...process.execArgv,
      fileURLToPath(import.meta.url),
      String(length),
      String(repetitions),
    ]);
    return JSON.parse(String(output)) as PlanSpeed;
  });
  const [cold, warm] = [spreadOf(runs.map((run) => run.cold)), spreadOf(runs.map((run) => run.warm))];
  return { ...runs[0]!, cold: cold.median, warm: warm.median, spread: { cold, warm } };
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  process.stdout.write(JSON.stringify(timePlan(Number(process.argv[2]), Number(process.argv[3]))));
