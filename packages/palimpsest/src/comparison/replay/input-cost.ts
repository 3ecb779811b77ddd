import type { ModelPrices } from '@palimpsest/tokens/models';
import type { EngineReplay } from './replay.ts';

/** Prices of prompt tokens. */
export type InputPrices = Omit<ModelPrices, 'output'>;

/** Example prices until the user enters those of a provider. */
export const examplePrices: InputPrices = { input: 3, cacheRead: 0.3, cacheWrite: 3.75 };

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
    warm += (shared[turn]! * prices.cacheRead + (tokens - shared[turn]!) * prices.cacheWrite) / 1e6;
    uncached.push(plain);
    cached.push(warm);
  }
  return { uncached, cached };
}
