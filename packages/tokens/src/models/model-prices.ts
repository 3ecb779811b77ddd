/** List prices of a model, in dollars per million tokens. */
export interface ModelPrices {
  readonly input: number;
  readonly output: number;
  /** Prompt tokens read from the cache. */
  readonly cacheRead: number;
  /** Prompt tokens written to the cache. */
  readonly cacheWrite: number;
}
