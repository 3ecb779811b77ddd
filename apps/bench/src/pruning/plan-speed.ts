import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Message, Transcript } from '@palimpsest/core';
import { plan } from '@palimpsest/pruner';
import { createTokenCounter } from '@palimpsest/tokens';
import { ageNewObjects } from '../age-new-objects.ts';
import { type Spread, spreadOf } from '../spread.ts';
import { calmest, type Round, timedRound } from '../timed-round.ts';
import { longTranscript } from './long-transcript.ts';

/** Milliseconds of processor time, the transcript's tokens being counted. */
export interface PlanSpeed {
  readonly messages: number;
  readonly tokens: number;
  readonly edits: number;
  /** The first plan of a process: nothing is known, and no code is compiled. */
  readonly fresh: Spread;
  /** Messages that nothing ever looked at, in a process that planned before. */
  readonly cold: Spread;
  /** The same messages again. */
  readonly warm: Spread;
}

/** What one process measured: the first of `cold` is the fresh one. */
interface Measured extends Pick<PlanSpeed, 'messages' | 'tokens' | 'edits'> {
  readonly cold: readonly Round[];
  readonly warm: readonly Round[];
}

/** Rounds after which the code is compiled. */
const warmingUp = 3;

/** Times one length in this process. */
async function measure(length: number, repetitions: number): Promise<Measured> {
  const text = JSON.stringify(longTranscript(length));
  const counter = createTokenCounter();
  const cold: Round[] = [];
  const warm: Round[] = [];
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
    cold.push(await timedRound(work));
    ageNewObjects();
    if (round > warmingUp) for (let again = 0; again < 3; again++) warm.push(await timedRound(work));
  }
  return { messages: length, tokens, edits, cold, warm };
}

/** Times one length in fresh processes. */
export function timeInFreshProcesses(length: number, repetitions: number, processes: number): PlanSpeed {
  const runs = Array.from({ length: processes }, () => {
    const program = fileURLToPath(import.meta.url);
    const given = ['--expose-gc', ...process.execArgv, program, String(length), String(repetitions)];
    return JSON.parse(String(execFileSync(process.execPath, given))) as Measured;
  });
  const spread = (rounds: (run: Measured) => readonly Round[]): Spread => spreadOf(calmest(runs.flatMap(rounds)));
  const { messages, tokens, edits } = runs[0]!;
  return {
    messages,
    tokens,
    edits,
    fresh: spread(({ cold }) => cold.slice(0, 1)),
    cold: spread(({ cold }) => cold.slice(1 + warmingUp)),
    warm: spread(({ warm }) => warm),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  process.stdout.write(JSON.stringify(await measure(Number(process.argv[2]), Number(process.argv[3]))));
