import type { Message } from '@palimpsest/core';
import { Transcript } from '@palimpsest/core/authoring';
import { plan } from '@palimpsest/pruner';
import { createTokenCounter } from '@palimpsest/tokens';
import { ageNewObjects } from '../age-new-objects.ts';
import { answerIfMain, inOwnProcess } from '../own-process.ts';
import { type Spread, spreadOf } from '../spread.ts';
import { calmest, type Round, timedRound } from '../timed-round.ts';
import { longTranscript } from './long-transcript.ts';

/** Processor time in milliseconds to plan one session whose tokens are already counted. */
export interface PlanSpeed {
  readonly messages: number;
  readonly tokens: number;
  readonly edits: number;
  /** The first plan of a process: nothing is cached and no code is compiled. */
  readonly fresh: Spread;
  /** New messages in a process that has planned before. */
  readonly cold: Spread;
  /** The same messages again. */
  readonly warm: Spread;
}

/** Planning times for two lengths, and the growth between them. */
export interface PlanSpeeds {
  readonly lengths: readonly [shorter: PlanSpeed, longer: PlanSpeed];
  /** How many times as long the longer took as the shorter, compared round by round. */
  readonly growth: { readonly cold: Spread; readonly warm: Spread };
}

/** The first plan of a process. */
interface First extends Pick<PlanSpeed, 'messages' | 'tokens' | 'edits'> {
  readonly fresh: Round;
}

/** Rounds of one length. Each round covers all sessions of that length. */
interface Rounds {
  readonly cold: Round[];
  readonly warm: Round[];
}

type Temperature = 'cold' | 'warm';

/** Number of warm-up rounds, after which the code is compiled. */
const warmingUp = 3;

/**
 * Times the planning of two lengths in new processes. Each round plans both lengths, so that they are compared under the
 * same machine conditions. It plans enough sessions of the shorter length to have as many messages as the longer one: a
 * single short session would stay in the processor's caches and finish before any garbage collection, and distort the
 * growth.
 */
export async function timeInFreshProcesses(
  lengths: readonly [shorter: number, longer: number],
  repetitions: number,
  processes: number,
): Promise<PlanSpeeds> {
  const turns = await repeated(processes, () => inFreshProcess<Rounds[]>(...lengths, repetitions));
  const rounds = (at: number, temperature: Temperature): Round[] => turns.flatMap((turn) => turn[at]![temperature]);
  const speedOf = async (at: 0 | 1): Promise<PlanSpeed> => {
    const firsts = await repeated(processes, () => inFreshProcess<First>(lengths[at]));
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
    // The pace of a pair is the slower of its two rounds.
    const pairs = rounds(1, temperature).map(({ milliseconds, pace }, round) => ({
      milliseconds: (milliseconds / shorter[round]!.milliseconds) * sessionsOf(lengths)[0],
      pace: Math.max(pace, shorter[round]!.pace),
    }));
    return spreadOf(calmest(pairs));
  };
  return { lengths: [await speedOf(0), await speedOf(1)], growth: { cold: growth('cold'), warm: growth('warm') } };
}

/** Returns the number of sessions of each length per round. */
const sessionsOf = ([shorter, longer]: readonly [number, number]): readonly [number, number] => [
  Math.floor(longer / shorter),
  1,
];

/** Runs work several times, one after the other. */
async function repeated<Result>(times: number, work: () => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  while (results.length < times) results.push(await work());
  return results;
}

const inFreshProcess = <Result>(...order: readonly number[]): Promise<Result> =>
  inOwnProcess(import.meta.url, order, ['--expose-gc']);

const counter = createTokenCounter();
/** Parses the messages into new objects, so that no cache keyed by object applies. */
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
    // Alternate the order, so that full garbage collections do not always fall into the same length's time.
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

await answerIfMain<[number, number?, number?]>(import.meta.url, ([shorter, longer, repetitions]) =>
  longer === undefined ? timeFirst(shorter) : timeRounds([shorter, longer], repetitions!),
);
