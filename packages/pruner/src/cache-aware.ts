import { PalimpsestError } from '@palimpsest/core';
import type { Gate } from './gate.ts';
import { count } from './quote.ts';

/** What one prompt token costs, in any unit: only the ratios matter. */
export interface CachePrices {
  /** Read from the provider's prompt cache. */
  readonly cached: number;
  /** Not in the cache before; with the premium for writing it there, where there is one. */
  readonly written: number;
}

/** Published price ratios of one uncached input token: Anthropic's, with 5-minute caching, and OpenAI's for GPT-5. */
export const cachePrices: { readonly anthropic: CachePrices; readonly openai: CachePrices } = {
  anthropic: { cached: 0.1, written: 1.25 },
  openai: { cached: 0.1, written: 1 },
};

export interface CacheAwareOptions {
  /** @default cachePrices.anthropic */
  readonly prices?: CachePrices | undefined;
  /** Requests still expected in this session, the next one included. Guess low: what never comes repays nothing. */
  readonly expectedTurns: number;
  /** Tokens at the start of the transcript that the cache still holds; 0 once it has expired. @default all of it */
  readonly cached?: number | undefined;
  /** After a commit: the transcript size at which the gate opens again. Pass the `tokensBefore` of that commit's report, so that it waits for a full regrowth. @default 0 */
  readonly rearm?: number | undefined;
}

/**
 * A gate that commits a prune only if what it saves over the expected turns repays writing the rest of the prompt into
 * the cache anew. Pure: all it knows of the past is in its options.
 * @throws {PalimpsestError} `OPTION_INVALID`
 */
export function cacheAware(options: CacheAwareOptions): Gate {
  const { prices = cachePrices.anthropic, expectedTurns, cached = Number.MAX_SAFE_INTEGER, rearm = 0 } = options;
  for (const [path, value] of Object.entries({
    'prices.cached': prices.cached,
    'prices.written': prices.written,
    expectedTurns,
    cached,
    rearm,
  }))
    if (!(value >= 0 && value < Number.POSITIVE_INFINITY))
      throw new PalimpsestError(
        'OPTION_INVALID',
        `cacheAware got ${path} ${String(value)}; it takes a number from 0 on.`,
        {
          issues: [{ path: [path], message: 'expected a finite number from 0 on' }],
        },
      );
  return ({ totalTokens, reclaimedTokens, prefixTokens }) => {
    if (totalTokens < rearm)
      return {
        commit: false,
        message: `The transcript has ${count(totalTokens)} tokens and was ${count(rearm)} when it was last pruned: waiting until it has regrown.`,
      };
    const next = totalTokens - reclaimedTokens;
    const kept = prompt(totalTokens, cached, prices) + Math.max(0, expectedTurns - 1) * totalTokens * prices.cached;
    const pruned =
      prompt(next, Math.min(cached, prefixTokens), prices) + Math.max(0, expectedTurns - 1) * next * prices.cached;
    const gain = expectedTurns < 1 ? 0 : kept - pruned;
    const balance = `${count(reclaimedTokens)} tokens less over ${count(expectedTurns)} expected turns, against ${count(next - Math.min(cached, prefixTokens, next))} to write into the cache`;
    return gain > 0
      ? { commit: true, message: `Worth it: ${balance}.` }
      : { commit: false, message: `Not worth it yet: ${balance}.` };
  };
}

/** Cost of sending a prompt of which the first `held` tokens are in the cache. */
function prompt(tokens: number, held: number, { cached, written }: CachePrices): number {
  const read = Math.min(tokens, held);
  return read * cached + (tokens - read) * written;
}
