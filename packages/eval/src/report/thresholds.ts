import { invalidOption } from '@palimpsest/core/authoring';
import type { Evaluation } from '../evaluate/evaluation.ts';
import { evaluationMeasures, type MeasureName, measures } from '../evaluate/measure-list.ts';
import { formatEstimate, formatShare } from './format-value.ts';

/** A limit for one measure, for every compactor at every budget. */
export interface Threshold {
  readonly measure: MeasureName;
  /** The minimum, or the maximum for a measure where lower is better. Shares are 0 to 1. */
  readonly limit: number;
}

/**
 * Reads a threshold such as `facts=40%`, `facts=0.4` or `dollars=1.50`.
 * @throws {PalimpsestError} `OPTION_INVALID`
 */
export function readThreshold(text: string): Threshold {
  const [, measure = '', number = '', percent] = /^(\w+)\s*=\s*(\d+(?:\.\d+)?)\s*(%?)$/.exec(text.trim()) ?? [];
  if (!(evaluationMeasures as readonly string[]).includes(measure))
    throw invalidOption(
      'threshold',
      `MEASURE=VALUE with one of ${evaluationMeasures.join(', ')}`,
      JSON.stringify(text.slice(0, 60)),
    );
  return { measure: measure as MeasureName, limit: percent ? Number(number) / 100 : Number(number) };
}

/**
 * Compares an evaluation with thresholds. A measure without a value does not meet its threshold.
 * @param compactors names to check. @default all
 * @returns a line for each value that misses its threshold
 */
export function findMissedThresholds(
  { results }: Evaluation,
  thresholds: readonly Threshold[],
  compactors: readonly string[] = results.map(({ compactor }) => compactor),
): string[] {
  return results
    .filter(({ compactor }) => compactors.includes(compactor))
    .flatMap(({ compactor, budget, scores }) =>
      thresholds.flatMap(({ measure, limit }) => {
        const { better, title, unit } = measures[measure];
        const value = scores[measure]?.value ?? Number.NaN;
        if (better === 'higher' ? value >= limit : value <= limit) return [];
        const shown = unit === 'share' ? formatShare(limit) : `$${limit}`;
        const wanted = `${better === 'higher' ? 'at least' : 'at most'} ${shown}`;
        return [
          `${compactor} at ${formatShare(budget)}: ${title} is ${formatEstimate(measure, scores[measure])}, not ${wanted}`,
        ];
      }),
    );
}
