import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Message } from '@palimpsest/core';
import { Transcript } from '@palimpsest/core/authoring';
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

export interface PlanSpeeds {
  readonly lengths: readonly [shorter: PlanSpeed, longer: PlanSpeed];
  /** How many times as long the longer took as the shorter, compared round by round. */
  readonly growth: { readonly cold: Spread; readonly warm: Spread };
}

/** The first plan of a process. */
interface First extends Pick<PlanSpeed, 'messages' | 'tokens' | 'edits'> {
  readonly fresh: Round;
}

/** Of one length; of all sessions of a round together. */
interface Rounds {
  readonly cold: Round[];
  readonly warm: Round[];
}

type Temperature = 'cold' | 'warm';

/** Rounds after which the code is compiled. */
const warmingUp = 3;

/**
 * Times two lengths in fresh processes. A round plans both, so that they are compared while the machine is as it is, and
 * so many sessions of the shorter that it is as many messages: else a short session alone would be found in the
 * processor's caches, and be done before its new objects are ever collected, and the growth would be that of the caches.
 */
export function timeInFreshProcesses(
  lengths: readonly [shorter: number, longer: number],
  repetitions: number,
  processes: number,
): PlanSpeeds {
  const turns = Array.from({ length: processes }, () => inFreshProcess<Rounds[]>(...lengths, repetitions));
  const rounds = (at: number, temperature: Temperature): Round[] => turns.flatMap((turn) => turn[at]![temperature]);
  const speedOf = (at: 0 | 1): PlanSpeed => {
    const firsts = Array.from({ length: processes }, () => inFreshProcess<First>(lengths[at]));
    const ofSession = (temperature: Temperature): Spread =>
      spreadOf(calmest(rounds(at, temperature)).map((time) => time / sessionsOf(lengths)[at]));
    return {
      ...firsts[0]!,
      fresh: spreadOf(calmest(firsts.map(({ fresh }) => fresh))),
      cold: ofSession('cold'),
      warm: ofSession('warm'),
    };
  };
  const growth = (temperature: Temperature): Spread => {
    const shorter = rounds(0, temperature);
    // Compared like a round: by how the machine was around the two.
    const pairs = rounds(1, temperature).map(({ milliseconds, pace }, round) => ({
      milliseconds: (milliseconds / shorter[round]!.milliseconds) * sessionsOf(lengths)[0],
      pace: Math.max(pace, shorter[round]!.pace),
    }));
    return spreadOf(calmest(pairs));
  };
  return { lengths: [speedOf(0), speedOf(1)], growth: { cold: growth('cold'), warm: growth('warm') } };
}

/** How many sessions of each length make a round. */
const sessionsOf = ([shorter, longer]: readonly [number, number]): readonly [number, number] => [
  Math.floor(longer / shorter),
  1,
];

function inFreshProcess<Result>(...given: readonly number[]): Result {
  const program = fileURLToPath(import.meta.url);
  const options = ['--expose-gc', ...process.execArgv];
  return JSON.parse(String(execFileSync(process.execPath, [...options, program, ...given.map(String)]))) as Result;
}

const counter = createTokenCounter();
/** Parsed anew, so that nothing that is remembered by object survives from before. */
const open = (text: string): Transcript => Transcript.of(JSON.parse(text) as Message[], counter);

async function timeFirst(messages: number): Promise<First> {
  const transcript = open(JSON.stringify(longTranscript(messages)));
  let edits = 0;
  ageNewObjects();
  const fresh = await timedRound(() => {
    edits = plan(transcript).length;
  });
  return { messages, tokens: Math.round(transcript.totalTokens), edits, fresh };
}

async function timeRounds(lengths: readonly [number, number], repetitions: number): Promise<readonly Rounds[]> {
  const texts = lengths.map((length) => JSON.stringify(longTranscript(length)));
  const results = lengths.map((): Rounds => ({ cold: [], warm: [] }));
  for (let round = -warmingUp; round < repetitions; round++) {
    // The other one goes first each time: when all garbage is collected, it must not always be in the same one's time.
    for (const at of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const transcripts = Array.from({ length: sessionsOf(lengths)[at] }, () => open(texts[at]!));
      const time = (): Promise<Round> => timedRound(() => transcripts.map((transcript) => plan(transcript)));
      const { cold, warm } = round < 0 ? { cold: [], warm: [] } : results[at]!;
      ageNewObjects();
      cold.push(await time());
      ageNewObjects();
      for (let again = 0; again < 3; again++) warm.push(await time());
    }
  }
  return results;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [shorter, longer, repetitions] = process.argv.slice(2).map(Number) as [number, number?, number?];
  const result = longer === undefined ? timeFirst(shorter) : timeRounds([shorter, longer], repetitions!);
  process.stdout.write(JSON.stringify(await result));
}
