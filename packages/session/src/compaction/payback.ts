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

/** Costs of tokens relative to an uncached input token: both Anthropic and OpenAI, the higher where they differ. */
const prices = { cached: 0.1, written: 1.25, output: 8 };
/** Length of a model's summary: a share of what it replaces, and a maximum in tokens. */
const summaryShare = 0.2;
const longestSummary = 3_000;
/** Maximum and minimum number of shares to judge by. A single cold prompt, as after a pause, changes nothing. */
const mostShares = 5;
const leastShares = 3;

const nothingKnown: PaybackState = { answers: 0, shares: [] };

/**
 * Estimates whether a compaction saves more than it costs before the session is likely to end. The session is expected
 * to make as many more requests as it has made, times `horizon`. Needs cached tokens in the usage reports.
 */
export class Payback {
  readonly #options: Pick<ResolvedOptions, 'horizon'>;
  #state: PaybackState = nothingKnown;

  constructor(options: Pick<ResolvedOptions, 'horizon'>) {
    this.#options = options;
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
    const { horizon } = this.#options;
    const { answers, shares } = this.#state;
    if (horizon === null || shares.length < leastShares) return false;
    const cachedShare = median(shares);
    const perToken = cachedShare * prices.cached + (1 - cachedShare);
    const removed = Math.max(0, promptTokens - compactedTokens);
    const summary = callsModel ? removed + Math.min(removed * summaryShare, longestSummary) * prices.output : 0;
    const rewriting = compactedTokens * Math.max(0, prices.written - perToken);
    return answers * horizon * removed * perToken < rewriting + summary;
  }

  restore(state: PaybackState = nothingKnown): void {
    this.#state = state;
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]!;
}
