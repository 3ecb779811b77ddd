import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Message, Transcript } from '@palimpsest/core';
import { plan } from '@palimpsest/pruner';
import { createTokenCounter } from '@palimpsest/tokens';
import { ageNewObjects } from '../age-new-objects.ts';
import { type Spread, spreadOf } from '../spread.ts';
import { calmest, type Round, timedRound } from '../timed-round.ts';
import { longTranscript } from './long-transcript.ts';

/** Milliseconds of processor time for one session, the transcript's tokens being counted. */
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

/** What one process measured, for all sessions of a round together. */
interface Measured extends Pick<PlanSpeed, 'messages' | 'tokens' | 'edits'> {
  readonly fresh: Round;
  readonly cold: readonly Round[];
  readonly warm: readonly Round[];
}

/** Rounds after which the code is compiled. */
const warmingUp = 3;

/** Times one length in this process. */
async function measure(length: number, sessions: number, repetitions: number): Promise<Measured> {
  const text = JSON.stringify(longTranscript(length));
  const counter = createTokenCounter();
  const open = (): Transcript => Transcript.of(JSON.parse(text) as Message[], counter);
  let transcripts = [open()];
  let edits = 0;
  const work = (): void => {
    for (const transcript of transcripts) edits = plan(transcript).length;
  };
  ageNewObjects();
  const fresh = await timedRound(work);
  const tokens = Math.round(transcripts[0]!.totalTokens);
  const cold: Round[] = [];
  const warm: Round[] = [];
  for (let round = 0; round < warmingUp + repetitions; round++) {
    // Parsed anew, so that nothing that is remembered by object survives from the round before.
    transcripts = Array.from({ length: sessions }, open);
    ageNewObjects();
    cold.push(await timedRound(work));
    ageNewObjects();
    for (let again = 0; again < 3; again++) warm.push(await timedRound(work));
  }
  return { messages: length, tokens, edits, fresh, cold: cold.slice(warmingUp), warm: warm.slice(3 * warmingUp) };
}

/**
 * Times lengths in fresh processes, in turns. A round plans so many sessions one after the other that it is as many
 * messages as the longest has: else a short session alone would be found in the processor's caches, and be done before
 * its new objects are ever collected, and the growth would be that of the caches.
 */
export function timeInFreshProcesses(lengths: readonly number[], repetitions: number, processes: number): PlanSpeed[] {
  const inOneRound = (length: number): number => Math.max(1, Math.floor(Math.max(...lengths) / length));
  const turns = Array.from({ length: processes }, () =>
    lengths.map((length) => inFreshProcess(length, inOneRound(length), repetitions)),
  );
  return lengths.map((length, at) => {
    const runs = turns.map((turn) => turn[at]!);
    const each = (rounds: readonly Round[]): Spread =>
      spreadOf(calmest(rounds).map((milliseconds) => milliseconds / inOneRound(length)));
    const { messages, tokens, edits } = runs[0]!;
    return {
      messages,
      tokens,
      edits,
      fresh: spreadOf(calmest(runs.map(({ fresh }) => fresh))),
      cold: each(runs.flatMap(({ cold }) => cold)),
      warm: each(runs.flatMap(({ warm }) => warm)),
    };
  });
}

function inFreshProcess(...given: readonly [length: number, sessions: number, repetitions: number]): Measured {
  const program = fileURLToPath(import.meta.url);
  const options = ['--expose-gc', ...process.execArgv];
  return JSON.parse(String(execFileSync(process.execPath, [...options, program, ...given.map(String)]))) as Measured;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [length, sessions, repetitions] = process.argv.slice(2).map(Number) as [number, number, number];
  process.stdout.write(JSON.stringify(await measure(length, sessions, repetitions)));
}
