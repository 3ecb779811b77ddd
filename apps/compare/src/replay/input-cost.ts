import type { Replay } from './replay.ts';

/** Prices of prompt tokens, in dollars per million. */
export interface InputPrices {
  /** A token that no cache holds and none is to hold. */
  readonly input: number;
  /** A token served from the cache. */
  readonly cached: number;
  /** A token sent for the first time and put into the cache; the input price where writing costs nothing extra. */
  readonly cacheWrite: number;
}

/** What the prompts of a session cost until and with each request, in dollars. */
export interface InputCost {
  readonly uncached: readonly number[];
  /** With a cache that holds every prompt until the next. */
  readonly cached: readonly number[];
}

export function inputCost({ sent, shared }: Pick<Replay, 'sent' | 'shared'>, prices: InputPrices): InputCost {
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
