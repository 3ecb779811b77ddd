import type { ModelPrices } from '@palimpsest/tokens/models';
import type { ReplaySizes } from './replay.ts';

export type { ModelPrices };

/** Example prices until the user enters those of a provider. */
export const examplePrices: ModelPrices = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };

/** Cumulative cost of the prompts of a session after each request, and of the pages that a model wrote, in dollars. */
export interface ReplayCost {
  readonly uncached: readonly number[];
  /** With a cache that keeps each prompt until the next request. */
  readonly cached: readonly number[];
}

/** Adds up the cost of the prompts of a replay, and of its pages: a model writes one in answer to the prompt before. */
export function replayCost(
  { sent, shared, compactions }: Pick<ReplaySizes, 'sent' | 'shared' | 'compactions'>,
  { input, output, cacheRead, cacheWrite }: ModelPrices,
): ReplayCost {
  const uncached: number[] = [];
  const cached: number[] = [];
  const pages = new Map(compactions.map(({ turn, page }) => [turn, page]));
  let [plain, warm] = [0, 0];
  for (const [turn, tokens] of sent.entries()) {
    const page = pages.get(turn);
    if (page) {
      const before = sent[turn - 1] ?? 0;
      const own = page.instruction * input + page.text * output;
      plain += (before * input + own) / 1e6;
      warm += (before * cacheRead + own) / 1e6;
    }
    plain += (tokens * input) / 1e6;
    warm += (shared[turn]! * cacheRead + (tokens - shared[turn]!) * cacheWrite) / 1e6;
    uncached.push(plain);
    cached.push(warm);
  }
  return { uncached, cached };
}
