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

export interface PlanSpeeds {
  /** By length, the shortest first. */
  readonly lengths: readonly PlanSpeed[];
  /** How many times as long the longest took as the one before it, compared round by round. */
  readonly growth: { readonly cold: Spread; readonly warm: Spread };
}

/** The first plan of a process. */
interface First extends Pick<PlanSpeed, 'messages' | 'tokens' | 'edits'> {
  readonly fresh: Round;
}

/** Of one length, by round; of all sessions of a round together. */
interface Rounds {
  readonly cold: Round[];
  readonly warm: Round[];
}

type Temperature = 'cold' | 'warm';

/** Rounds after which the code is compiled. */
const warmingUp = 3;

/**
 * Times lengths in fresh processes, the shortest first. A round goes through all of them, so that they are compared while
 * the machine is as it is, and plans so many sessions of each that it is as many messages as the longest has: else a
 * short session alone would be found in the processor's caches, and be done before its new objects are ever collected,
 * and the growth would be that of the caches.
 */
export function timeInFreshProcesses(
  lengths: readonly [number, number, ...number[]],
  repetitions: number,
  processes: number,
): PlanSpeeds {
  const firsts = lengths.map((length) => Array.from({ length: processes }, () => inFreshProcess<First>(length)));
  const turns = Array.from({ length: processes }, () => inFreshProcess<Rounds[]>(...lengths, repetitions));
  const rounds = (at: number, temperature: Temperature): Round[] => turns.flatMap((turn) => turn[at]![temperature]);
  const ofSession = (at: number, temperature: Temperature): Spread =>
    spreadOf(calmest(rounds(at, temperature)).map((time) => time / sessionsOf(lengths[at]!, lengths)));
  const growth = (temperature: Temperature): Spread => {
    const [shorter, longer] = [rounds(lengths.length - 2, temperature), rounds(lengths.length - 1, temperature)];
    const sessions = sessionsOf(lengths.at(-2)!, lengths);
    // Compared like a round: by how the machine was around the two.
    const pairs = longer.map(({ milliseconds, pace }, round) => ({
      milliseconds: (milliseconds / shorter[round]!.milliseconds) * sessions,
      pace: Math.max(pace, shorter[round]!.pace),
    }));
    return spreadOf(calmest(pairs));
  };
  return {
    lengths: firsts.map((first, at) => ({
      ...first[0]!,
      fresh: spreadOf(calmest(first.map(({ fresh }) => fresh))),
      cold: ofSession(at, 'cold'),
      warm: ofSession(at, 'warm'),
    })),
    growth: { cold: growth('cold'), warm: growth('warm') },
  };
}

const sessionsOf = (length: number, lengths: readonly number[]): number => Math.floor(Math.max(...lengths) / length);

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

async function timeRounds(lengths: readonly number[], repetitions: number): Promise<Rounds[]> {
  const subjects = lengths.map((length) => ({ length, text: JSON.stringify(longTranscript(length)) }));
  const results = lengths.map((): Rounds => ({ cold: [], warm: [] }));
  for (let round = -warmingUp; round < repetitions; round++) {
    for (let turn = 0; turn < subjects.length; turn++) {
      // Another one goes first each time: when all garbage is collected, it must not always be in the same one's time.
      const at = (turn + round + warmingUp) % subjects.length;
      const { length, text } = subjects[at]!;
      const transcripts = Array.from({ length: sessionsOf(length, lengths) }, () => open(text));
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
  const given = process.argv.slice(2).map(Number);
  const result = given.length === 1 ? timeFirst(given[0]!) : timeRounds(given.slice(0, -1), given.at(-1)!);
  process.stdout.write(JSON.stringify(await result));
}
