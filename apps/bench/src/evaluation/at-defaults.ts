import type { Message, TokenCounter } from '@palimpsest/core';
import { Transcript } from '@palimpsest/core/authoring';
import { type Compact, withinBudget } from '@palimpsest/eval/measures';
import { benchHost, engines, type OpenEngine } from '../engines/open-engine.ts';

/**
 * Compacts with one of our engines as a user does with default options: in the window in which it compacts at this
 * size, without a target. The budget is ignored.
 */
export const atDefaults =
  (open: OpenEngine): Compact =>
  async (past, _, counter) => {
    const window = windowFilledBy(tokensOf(past, counter), open, counter);
    const { messages } = await open(benchHost(counter), window).compress(past, { force: true });
    return messages as readonly Message[];
  };

/** Gives another method, which has no default without a budget, as many tokens as the compressor uses at its defaults. */
export function withTokensOfCompressor(keep: Compact): Compact {
  return async (past, budgetTokens, counter) => {
    const tokens = tokensOf(await atDefaults(engines.compressor)(past, budgetTokens, counter), counter);
    return withinBudget(await keep(past, tokens, counter), tokens, counter).fair;
  };
}

/** Returns the window, in tokens, in which an engine compacts at this size because its threshold is reached. */
function windowFilledBy(tokens: number, open: OpenEngine, counter: TokenCounter): number {
  const thresholdOf = (window: number): number => open(benchHost(counter), window).status().thresholdTokens;
  let [low, high] = [tokens, tokens * 4];
  if (thresholdOf(low) >= tokens) return low;
  while (high - low > tokens / 100) {
    const middle = (low + high) / 2;
    if (thresholdOf(middle) <= tokens) low = middle;
    else high = middle;
  }
  return Math.round(low);
}

const tokensOf = (messages: readonly Message[], counter: TokenCounter): number =>
  Transcript.of(messages, counter).totalTokens;
