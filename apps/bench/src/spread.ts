/** Median, minimum and maximum of repeated measurements. */
export interface Spread {
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

/** Returns the median; for an even count, the upper of the two middle values. `NaN` for an empty list. */
export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

export const spreadOf = (values: readonly number[]): Spread => ({
  median: median(values),
  least: Math.min(...values),
  most: Math.max(...values),
});

/** Formats a spread, such as `12.3 (11.9 to 14.0)`. */
export const withRange = ({ median: middle, least, most }: Spread, digits: number): string =>
  `${middle.toFixed(digits)} (${least.toFixed(digits)} to ${most.toFixed(digits)})`;

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Returns the mean; `NaN` for an empty list. */
export const mean = (values: readonly number[]): number => sum(values) / values.length;

/**
 * Fits the exponent of a cost's growth: the slope of a least-squares line through the logarithms. 1 is linear, 2 is
 * quadratic.
 * @param points positive sizes and costs, with at least two different sizes
 */
export function exponentOf(points: readonly (readonly [size: number, cost: number])[]): number {
  const logs = points.map((point) => point.map(Math.log) as [size: number, cost: number]);
  const [meanSize, meanCost] = [mean(logs.map(([size]) => size)), mean(logs.map(([, cost]) => cost))];
  return (
    sum(logs.map(([size, cost]) => (size - meanSize) * (cost - meanCost))) /
    sum(logs.map(([size]) => (size - meanSize) ** 2))
  );
}
