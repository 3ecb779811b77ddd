import type { EngineReplay } from './replay.ts';

/** Prices of prompt tokens, in dollars per million. */
export interface InputPrices {
  /** An uncached token. */
  readonly input: number;
  /** A token read from the cache. */
  readonly cached: number;
  /** A token written to the cache; equal to `input` if the provider charges nothing extra. */
  readonly cacheWrite: number;
}

/** Example prices until the user enters those of a provider. */
export const examplePrices: InputPrices = { input: 3, cached: 0.3, cacheWrite: 3.75 };

/** Cumulative cost of the prompts of a session after each request, in dollars. */
export interface InputCost {
  readonly uncached: readonly number[];
  /** With a cache that keeps each prompt until the next request. */
  readonly cached: readonly number[];
}

/** Adds up the cost of the prompts of a replay. */
export function inputCost({ sent, shared }: Pick<EngineReplay, 'sent' | 'shared'>, prices: InputPrices): InputCost {
  const uncached: number[] = [];
  const cached: number[] = [];
  let [plain, warm] = [0, 0];
  for (const [turn, tokens] of sent.entries()) {
    plain += (tokens * prices.input) / 1e6;
    warm += (shared[turn]! * prices.cached + (tokens - shared[turn]!) * prices.cacheWrite) / 1e6;
    uncached.push(plain);
    cached.push(warm);
  }
  return { uncached, cached };
}
