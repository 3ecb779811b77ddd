import { type Spread, spreadOf } from '../spread.ts';
import { type Candidate, candidates } from './candidates.ts';
import { megabyte } from './speed-texts.ts';

async function milliseconds(run: () => unknown): Promise<number> {
  const start = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** Milliseconds of processor time per MB, medians of interleaved rounds: other work on the machine counts for little. */
export async function speed(
  texts: Readonly<Record<string, string>>,
  rounds: number,
  warmUp: number,
  candidate: Candidate = candidates[0]!,
): Promise<Record<string, Spread>> {
  const times: Record<string, number[]> = {};
  for (let round = -warmUp; round < rounds; round += 1) {
    for (const [name, text] of Object.entries(texts)) {
      const time = await milliseconds(() => candidate.redact(text));
      if (round >= 0) (times[name] ??= []).push((time * megabyte) / text.length);
    }
  }
  return Object.fromEntries(Object.entries(times).map(([name, all]) => [name, spreadOf(all)]));
}
