import type { Usage } from '@palimpsest/core';
import type { ModelPrices } from '@palimpsest/tokens/models';
import { usageDollars } from '@palimpsest/tokens/usage';

/** Prices of models, and what the summaries of the compaction being made have cost so far. */
export class Spending {
  readonly prices: (model: string) => ModelPrices | null;
  #summaries: number | null = 0;

  constructor(prices: ((model: string) => ModelPrices | null) | undefined) {
    this.prices = prices ?? (() => null);
  }

  /** Counts a call of a summarizer. Without usage or price, the sum is unknown. */
  noteSummary(summarizer: string, usage: Usage | undefined): void {
    const prices = this.#pricesOf(summarizer);
    if (this.#summaries !== null)
      this.#summaries = usage && prices ? this.#summaries + usageDollars(usage, prices) : null;
  }

  /** Finds the model in the id of a summarizer, such as `openai:small-2`. */
  #pricesOf(summarizer: string): ModelPrices | null {
    const parts = summarizer.split(':');
    for (let at = 0; at < parts.length; at++) {
      const prices = this.prices(parts.slice(at).join(':'));
      if (prices) return prices;
    }
    return null;
  }

  /** Returns what the calls since the last time cost; `null` if unknown. */
  takeSummaries(modelCalls: number): number | null {
    const summaries = modelCalls === 0 ? 0 : this.#summaries;
    this.#summaries = 0;
    return summaries;
  }
}
