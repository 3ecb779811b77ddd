import { formatNumber } from '../format-number.ts';
import type { TokenState } from './engine.ts';
import type { Budget } from './model.ts';

/** Work that should fit between two compactions, as a share of the window. Half of an early threshold is enough. */
const shareOfWindow = 0.25;
const shareOfThreshold = 0.5;
/**
 * The same as a number of tokens, for small windows: a summary with its prompt costs about as much as that many new
 * tokens, whatever the window.
 */
const minSmallWindowTokens = 24_000;
/** Default upper limit of a threshold, as a share of the window. The answer's reserve lies above it. */
export const maxThresholdShare = 0.85;

/**
 * The threshold for the next compaction, in tokens. If the compacted prompt is already close to the budget's
 * threshold, for example because of a long system prompt, the threshold is raised to avoid compacting again at once.
 */
export function nextThreshold({ contextLength, compactedTokens }: TokenState, budget: Budget): number {
  const { thresholdTokens } = budget;
  if (contextLength <= 0) return 0;
  if (compactedTokens === null) return thresholdTokens;
  const wanted = compactedTokens + minWorkTokens(contextLength, thresholdTokens);
  if (wanted <= thresholdTokens) return thresholdTokens;
  const latest = maxThreshold(budget);
  const isSmall = contextLength * shareOfWindow < minSmallWindowTokens;
  // In a small window, a threshold that cannot be kept, for example because of many tools, does not shorten the work.
  const longest = isSmall ? compactedTokens + minWorkTokens(contextLength, latest) : wanted;
  return Math.max(thresholdTokens, Math.min(longest, latest));
}

/** The largest compacted prompt that leaves enough room for work before the next compaction. Tokens. */
export function maxCompactedTokens(budget: Budget): number {
  return Math.max(0, maxThreshold(budget) - minWorkTokens(windowOf(budget), budget.thresholdTokens));
}

/** Upper limit of the threshold, in tokens. */
export function maxThreshold(budget: Budget): number {
  const { usableTokens, thresholdTokens } = budget;
  const latest = budget.maxThresholdTokens ?? Math.min(usableTokens, Math.floor(windowOf(budget) * maxThresholdShare));
  return Math.max(thresholdTokens, latest);
}

/** The window, or what an engine assumes if it is unknown. Tokens. */
function windowOf({ contextLength, usableTokens }: Budget): number {
  return contextLength > 0 ? contextLength : usableTokens;
}

function minWorkTokens(
  contextLength: number,
  thresholdTokens: number,
  minTokens: number = minSmallWindowTokens,
): number {
  return Math.floor(Math.min(Math.max(contextLength * shareOfWindow, minTokens), thresholdTokens * shareOfThreshold));
}

/**
 * A warning for a user if the compacted prompt leaves too little room for work before the next compaction; else
 * `null`.
 */
export function littleRoomWarning({ contextLength, compactedTokens, thresholdTokens }: TokenState): string | null {
  if (contextLength <= 0 || compactedTokens === null) return null;
  if (thresholdTokens - compactedTokens >= minWorkTokens(contextLength, thresholdTokens, 0)) return null;
  const left = Math.max(0, thresholdTokens - compactedTokens);
  return `After the compaction, the prompt still has ${formatNumber(compactedTokens)} tokens, and the next compaction comes at ${formatNumber(thresholdTokens)}: only ${formatNumber(left)} tokens of work fit between. Use a larger window, fewer tools, or a shorter system prompt.`;
}
