/** No wait is longer than this, unless the provider asks for it. */
const longestDelayMs = 30_000;

/**
 * How long to wait before another try: twice as long each time, of which the second half is left to chance, so that
 * calls that failed together do not come back together. Never before the moment the provider named.
 * @param attempt 1 before the second try
 * @param random in [0, 1)
 */
export function retryDelay(attempt: number, firstMs: number, retryAfterMs: number, random: number): number {
  const step = Math.min(firstMs * 2 ** (attempt - 1), longestDelayMs);
  return retryAfterMs > 0 ? retryAfterMs + step * random * 0.5 : step * (0.5 + random * 0.5);
}
