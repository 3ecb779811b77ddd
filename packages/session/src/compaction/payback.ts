import type { ModelPrices } from '@palimpsest/tokens/models';
import type { ResolvedOptions } from '../options/resolve-options.ts';

/** What the answers of a session show about its length and its provider's cache. JSON. */
export interface PaybackState {
  /** Answers with a usage report. */
  readonly answers: number;
  /** Cached shares of the newest prompts, 0 to 1, newest last. */
  readonly shares: readonly number[];
}

/** Data to decide whether a compaction pays. Sizes are in tokens. */
export interface ProposedCompaction {
  readonly promptTokens: number;
  /** The prompt after it. */
  readonly compactedTokens: number;
  readonly callsModel: boolean;
}

/** Costs of tokens relative to an uncached input token. */
interface RelativePrices {
  readonly cached: number;
  readonly written: number;
  readonly output: number;
}

/** Prices of a model that is not known: both Anthropic and OpenAI, the higher where they differ. */
const usualPrices: RelativePrices = { cached: 0.1, written: 1.25, output: 8 };
/** Length of a model's summary: a share of what it replaces, and a maximum in tokens. */
const summaryShare = 0.2;
const longestSummary = 3_000;
/** Maximum and minimum number of shares to judge by. A single cold prompt, as after a pause, changes nothing. */
const mostShares = 5;
const leastShares = 3;

interface PaybackParts {
  readonly options: Pick<ResolvedOptions, 'horizon'>;
  /** List prices of the session's model; `null` if they are not known. */
  readonly prices: () => ModelPrices | null;
  /** True if summaries are written by the session's model on its last request, so that their input is cached, too. */
  readonly rides: () => boolean;
}

const nothingKnown: PaybackState = { answers: 0, shares: [] };

/**
 * Estimates whether a compaction saves more than it costs before the session is likely to end. The session is expected
 * to make as many more requests as it has made, times `horizon`. Needs cached tokens in the usage reports.
 */
export class Payback {
  readonly #parts: PaybackParts;
  #state: PaybackState = nothingKnown;

  constructor(parts: PaybackParts) {
    this.#parts = parts;
  }

  get state(): PaybackState {
    return this.#state;
  }

  /** Records an answer. @param cachedShare `null` when the provider did not report it */
  noteAnswer(cachedShare: number | null): void {
    const { answers, shares } = this.#state;
    this.#state = {
      answers: answers + 1,
      shares: cachedShare === null ? shares : [...shares, cachedShare].slice(-mostShares),
    };
  }

  /** True when it is known that the compaction costs more than it saves. */
  isLoss({ promptTokens, compactedTokens, callsModel }: ProposedCompaction): boolean {
    const { options, prices: pricesNow, rides } = this.#parts;
    const { horizon } = options;
    const { answers, shares } = this.#state;
    if (horizon === null || shares.length < leastShares) return false;
    const prices = relativePrices(pricesNow());
    const cachedShare = median(shares);
    const perToken = cachedShare * prices.cached + (1 - cachedShare);
    const removed = Math.max(0, promptTokens - compactedTokens);
    const read = rides() ? promptTokens * perToken : removed;
    const summary = callsModel ? read + Math.min(removed * summaryShare, longestSummary) * prices.output : 0;
    const rewriting = compactedTokens * Math.max(0, prices.written - perToken);
    return answers * horizon * removed * perToken < rewriting + summary;
  }

  restore(state: PaybackState = nothingKnown): void {
    this.#state = state;
  }
}

function relativePrices(prices: ModelPrices | null): RelativePrices {
  if (prices === null || prices.input <= 0) return usualPrices;
  const { input, cacheRead, cacheWrite, output } = prices;
  return { cached: cacheRead / input, written: cacheWrite / input, output: output / input };
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]!;
}
