/**
 * Fits the exponent of a cost's growth: the slope of a least-squares line through the logarithms. 1 is linear, 2 is
 * quadratic.
 * @param points positive sizes and costs, with at least two different sizes
 */
export function exponentOf(points: readonly (readonly [size: number, cost: number])[]): number {
  const logs = points.map(([size, cost]) => [Math.log(size), Math.log(cost)] as const);
  const meanSize = logs.reduce((sum, [size]) => sum + size, 0) / logs.length;
  const meanCost = logs.reduce((sum, [, cost]) => sum + cost, 0) / logs.length;
  const covariance = logs.reduce((sum, [size, cost]) => sum + (size - meanSize) * (cost - meanCost), 0);
  return covariance / logs.reduce((sum, [size]) => sum + (size - meanSize) ** 2, 0);
}
