/**
 * The exponent with which a cost grows: the slope of the line through the logarithms, by least squares. 1 is linear, 2
 * quadratic.
 * @param points sizes and costs, both over 0; at least two different sizes
 */
export function exponentOf(points: readonly (readonly [size: number, cost: number])[]): number {
  const logs = points.map(([size, cost]) => [Math.log(size), Math.log(cost)] as const);
  const meanSize = logs.reduce((sum, [size]) => sum + size, 0) / logs.length;
  const meanCost = logs.reduce((sum, [, cost]) => sum + cost, 0) / logs.length;
  const covariance = logs.reduce((sum, [size, cost]) => sum + (size - meanSize) * (cost - meanCost), 0);
  return covariance / logs.reduce((sum, [size]) => sum + (size - meanSize) ** 2, 0);
}
