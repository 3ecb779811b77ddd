/** Page and record together, as a share of what they replace, and their limits in tokens. */
const share = 0.065;
const [minTokens, maxTokens] = [2_400, 6_000] as const;

/**
 * Returns the maximum tokens of a handoff with a model's page, record included.
 * @param sourceTokens tokens of the messages that it replaces
 * @param previousTokens tokens of an earlier handoff that it replaces. @default 0
 */
export function pageLimit(sourceTokens: number, previousTokens: number = 0): number {
  // A handoff that is nearly as long as a short conversation saves nothing.
  const floor = Math.min(minTokens, sourceTokens / 2);
  return Math.floor(Math.max(floor, Math.min(Math.max(previousTokens, sourceTokens * share), maxTokens)));
}
