import { mean } from '../spread.ts';

/** Summary of the relative errors of estimates. */
export interface ErrorSummary {
  readonly count: number;
  readonly mean: number;
  readonly percentile95: number;
  readonly bias: number;
}

export function errorsOf(errors: readonly number[]): ErrorSummary {
  const sizes = errors.map(Math.abs).sort((a, b) => a - b);
  return {
    count: errors.length,
    mean: mean(sizes),
    percentile95: sizes[Math.floor(sizes.length * 0.95)] ?? Number.NaN,
    bias: mean(errors),
  };
}
