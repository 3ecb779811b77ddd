import { amountRule, checkOptions, groupRule, type OptionRule, type RulesOf } from '@palimpsest/core/authoring';
import { formatCount } from '../format-count.ts';
import type { Gate } from './gate.ts';

/** Costs of one prompt token, in any unit, because only their ratio matters. */
export interface CachePrices {
  /** Cost of a token read from the provider's prompt cache. */
  readonly cached: number;
  /** Cost of a token that is not cached yet, including the provider's surcharge for writing it to the cache. */
  readonly written: number;
}

/** Published prices relative to an uncached input token: Anthropic with 5-minute caching, and OpenAI for GPT-5. */
export const cachePrices: { readonly anthropic: CachePrices; readonly openai: CachePrices } = {
  anthropic: { cached: 0.1, written: 1.25 },
  openai: { cached: 0.1, written: 1 },
};

/** Options of {@link cacheAware}. */
export interface CacheAwareOptions {
  /** @default cachePrices.anthropic */
  readonly prices?: CachePrices | undefined;
  /**
   * Expected number of further requests in this session, including the next one. Savings grow with it, so estimate low.
   */
  readonly expectedRequests: number;
  /** Tokens at the start of the transcript that are still cached; 0 once the cache has expired. @default all of them */
  readonly cached?: number | undefined;
  /**
   * Minimum tokens of the transcript for a prune. After a commit, pass `tokensBefore` of its report: the next prune
   * then waits until the transcript has grown back.
   * @default 0
   */
  readonly rearm?: number | undefined;
}

const requiredAmount: OptionRule = { ...amountRule, isRequired: true };
const rules: RulesOf<CacheAwareOptions> = {
  prices: groupRule({ cached: requiredAmount, written: requiredAmount }),
  expectedRequests: requiredAmount,
  cached: amountRule,
  rearm: amountRule,
};

/**
 * Creates a gate that commits a prune only if its savings over the expected requests exceed the cost of writing the rest
 * of the prompt to the cache again. Pure: keeps no state.
 * @throws {PalimpsestError} `OPTION_INVALID`
 */
export function cacheAware(options: CacheAwareOptions): Gate {
  checkOptions('cacheAware', options, rules, 'an object with expectedRequests');
  const { prices = cachePrices.anthropic, expectedRequests, cached = Number.MAX_SAFE_INTEGER, rearm = 0 } = options;
  return ({ totalTokens, reclaimedTokens, prefixTokens }) => {
    if (totalTokens < rearm)
      return {
        commit: false,
        message: `The transcript has ${formatCount(totalTokens)} tokens and had ${formatCount(rearm)} before it was last pruned: waiting until it has grown back.`,
      };
    const next = totalTokens - reclaimedTokens;
    const kept =
      promptCost(totalTokens, cached, prices) + Math.max(0, expectedRequests - 1) * totalTokens * prices.cached;
    const pruned =
      promptCost(next, Math.min(cached, prefixTokens), prices) +
      Math.max(0, expectedRequests - 1) * next * prices.cached;
    const gain = expectedRequests < 1 ? 0 : kept - pruned;
    const balance = `${formatCount(reclaimedTokens)} tokens less over ${formatCount(expectedRequests)} expected requests, against ${formatCount(next - Math.min(cached, prefixTokens, next))} to write into the cache`;
    return gain > 0
      ? { commit: true, message: `Worth it: ${balance}.` }
      : { commit: false, message: `Not worth it yet: ${balance}.` };
  };
}

/** Returns the cost of sending a prompt whose first `cachedTokens` tokens are cached. */
function promptCost(tokens: number, cachedTokens: number, { cached, written }: CachePrices): number {
  const read = Math.min(tokens, cachedTokens);
  return read * cached + (tokens - read) * written;
}
