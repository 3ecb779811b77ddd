import type { Usage } from '@palimpsest/core';
import type { ModelPrices } from '@palimpsest/tokens/models';
import { usageDollars } from '@palimpsest/tokens/usage';

/** The cost of a conversation, in dollars at list prices. */
export interface ConversationCost {
  readonly paid: number;
  /** What it would have cost if the agent's whole history had been sent. */
  readonly uncompacted: number;
}

/** Adds up the cost of answers. */
export class CostCounter {
  #paid = 0;
  #uncompacted = 0;
  #answers = 0;
  #isKnown = true;
  /** Size of the whole history in the last request. */
  #lastWhole = 0;

  /** `null` before the first answer, and when the price of one was not known. */
  get cost(): ConversationCost | null {
    return this.#isKnown && this.#answers > 0 ? { paid: this.#paid, uncompacted: this.#uncompacted } : null;
  }

  /**
   * Counts an answer. If the provider has a cache, the whole history up to the previous request is assumed to be
   * cached.
   * @param savedTokens prompt tokens that were not sent; `null` for a request that the agent would not have sent, of which
   *   only the answer counts
   */
  count(usage: Usage, savedTokens: number | null, prices: ModelPrices | null): void {
    this.#answers++;
    if (!prices) {
      this.#isKnown = false;
      return;
    }
    const { promptTokens, cachedTokens: read, cacheWriteTokens: written = 0 } = usage;
    this.#paid += usageDollars(usage, prices);
    if (savedTokens === null) {
      this.#uncompacted += (usage.completionTokens * prices.output) / 1e6;
      return;
    }
    const whole = promptTokens + savedTokens;
    const cached = read === undefined ? 0 : Math.min(this.#lastWhole, whole);
    const cacheWriteTokens = written > 0 ? whole - cached : 0;
    this.#uncompacted += usageDollars(
      { ...usage, promptTokens: whole, cachedTokens: cached, cacheWriteTokens },
      prices,
    );
    this.#lastWhole = whole;
  }
}
