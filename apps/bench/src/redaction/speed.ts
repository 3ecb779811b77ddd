import { type Spread, spreadOf } from '../spread.ts';
import { calmest, type Round, timedRound } from '../timed-round.ts';
import { type Candidate, candidates } from './candidates.ts';
import { megabyte } from './speed-texts.ts';

/** Measures milliseconds of processor time per MB, in interleaved rounds. */
export async function speed(
  texts: Readonly<Record<string, string>>,
  rounds: number,
  warmUp: number,
  candidate: Candidate = candidates[0]!,
): Promise<Record<string, Spread>> {
  const all: Record<string, Round[]> = {};
  for (let round = -warmUp; round < rounds; round += 1) {
    for (const [name, text] of Object.entries(texts)) {
      const timed = await timedRound(() => candidate.redact(text));
      if (round >= 0) (all[name] ??= []).push(timed);
    }
  }
  return Object.fromEntries(
    Object.entries(all).map(([name, timed]) => [
      name,
      spreadOf(calmest(timed).map((milliseconds) => (milliseconds * megabyte) / texts[name]!.length)),
    ]),
  );
}
