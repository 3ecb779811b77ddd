import type { TokenState } from './engine.ts';
import type { Budget } from './model.ts';

/** The share of a window that should fit between two compressions: a stretch of work. Of an early threshold, half is enough. */
const shareOfWindow = 0.25;
const shareOfThreshold = 0.5;
/** The threshold moves up to this share of the usable window at most, if the budget says nothing else. */
const latestShare = 0.85;

/**
 * The threshold for the next compression. What stays after one, such as the system prompt and the tools, may fill most of
 * the way to the budget's threshold. Then the threshold moves up, so that the next compression does not come at once.
 */
export function nextThreshold({ contextLength, compactedTokens }: TokenState, budget: Budget): number {
  const { thresholdTokens } = budget;
  if (contextLength <= 0) return 0;
  if (compactedTokens === null) return thresholdTokens;
  const wanted = compactedTokens + stretchTokens(contextLength, thresholdTokens);
  return Math.max(thresholdTokens, Math.min(wanted, latestThreshold(budget)));
}

/** The largest prompt after a compression that leaves a stretch of work before the next one. Tokens. */
export function landingTokens(budget: Budget): number {
  const { contextLength, thresholdTokens } = budget;
  return Math.max(0, latestThreshold(budget) - stretchTokens(contextLength, thresholdTokens));
}

function latestThreshold({ thresholdTokens, usableTokens, latestThresholdTokens }: Budget): number {
  return Math.max(thresholdTokens, latestThresholdTokens ?? Math.floor(usableTokens * latestShare));
}

function stretchTokens(contextLength: number, thresholdTokens: number): number {
  return Math.floor(Math.min(contextLength * shareOfWindow, thresholdTokens * shareOfThreshold));
}

/** A sentence for a user if what stays leaves no stretch of work before the next compression; `null` if it does. */
export function crampedWarning({ contextLength, compactedTokens, thresholdTokens }: TokenState): string | null {
  if (contextLength <= 0 || compactedTokens === null) return null;
  if (thresholdTokens - compactedTokens >= stretchTokens(contextLength, thresholdTokens)) return null;
  const left = Math.max(0, thresholdTokens - compactedTokens);
  return `After the compression, the prompt still has ${count(compactedTokens)} tokens, and the next compression comes at ${count(thresholdTokens)}: only ${count(left)} tokens of work fit between. Use a larger window, fewer tools, or a shorter system prompt.`;
}

function count(tokens: number): string {
  return Math.round(tokens).toLocaleString('en-US');
}
