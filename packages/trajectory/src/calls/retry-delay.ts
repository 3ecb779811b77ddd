/** Longest delay, unless the provider asks for a longer one. */
const longestDelayMs = 30_000;

/**
 * Returns the delay before a retry in milliseconds. It doubles with each attempt, and half of it is random, so that
 * calls that failed together are not retried together. It is never shorter than the provider's `Retry-After`.
 * @param attempt 1 before the first retry
 * @param random a random number in [0, 1)
 */
export function retryDelay(attempt: number, firstMs: number, retryAfterMs: number, random: number): number {
  const step = Math.min(firstMs * 2 ** (attempt - 1), longestDelayMs);
  return retryAfterMs > 0 ? retryAfterMs + step * random * 0.5 : step * (0.5 + random * 0.5);
}
