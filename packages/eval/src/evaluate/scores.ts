import { type Draws, type Estimate, estimate } from './bootstrap.ts';
import { evaluationMeasures, type MeasureName, measures } from './measure-list.ts';
import type { Tally } from './tally.ts';

/** Every measure with its interval; `null` where nothing could be measured. */
export type Scores = Readonly<Record<MeasureName, Estimate | null>>;

/** Computes all measures from one tally for each transcript. */
export function scoresOf(tallies: readonly Tally[], draws: Draws): Scores {
  const columns = Object.fromEntries(
    evaluationMeasures.map((part) => [
      part,
      {
        sums: Float64Array.from(tallies, (tally) => tally.of(part).sum),
        counts: Float64Array.from(tallies, (tally) => tally.of(part).count),
      },
    ]),
  ) as Record<MeasureName, { sums: Float64Array; counts: Float64Array }>;
  const ratio = (part: MeasureName, sample: Uint32Array): number => {
    const { sums, counts } = columns[part];
    let [sum, count] = [0, 0];
    for (const at of sample) {
      sum += sums[at]!;
      count += counts[at]!;
    }
    return sum / count;
  };
  const scoreOf = (name: MeasureName): Estimate | null => {
    const { parts } = measures[name];
    const value = (sample: Uint32Array): number => {
      const known = parts.map((part) => ratio(part, sample)).filter((one) => !Number.isNaN(one));
      return known.reduce((sum, one) => sum + one, 0) / known.length;
    };
    const measured = tallies.filter((tally) => parts.some((part) => tally.of(part).count > 0)).length;
    return estimate(value, tallies.length, measured, draws);
  };
  return Object.fromEntries(evaluationMeasures.map((name) => [name, scoreOf(name)])) as Scores;
}
