import { isToolResult, type Message, type TokenCounter } from '@palimpsest/core';
import { Transcript } from '@palimpsest/core/authoring';
import type { Compact } from './compactor.ts';

/** Keeps the newest messages that fit the budget. */
export function newestTokens(
  past: readonly Message[],
  budgetTokens: number,
  counter: TokenCounter,
): readonly Message[] {
  const transcript = Transcript.of(past, counter);
  let from = past.length;
  while (from > 0 && transcript.tokensBetween(from - 1, past.length) <= budgetTokens) from--;
  return past.slice(from);
}

/** Keeps the oldest messages that fit a fifth of the budget, and the newest that fit the rest. */
export const headAndTail: Compact = (past, budgetTokens, counter) => {
  const transcript = Transcript.of(past, counter);
  let head = 0;
  while (head < past.length && transcript.tokensBetween(0, head + 1) <= budgetTokens / 5) head++;
  return [
    ...past.slice(0, head),
    ...newestTokens(past.slice(head), budgetTokens - transcript.tokensBetween(0, head), counter),
  ];
};

/** Placeholder for old tool results, as Claude Code and opencode word it. */
const cleared = '[Old tool result content cleared]';

/** Clears tool results, oldest first, until the messages fit the budget. If that is not enough, keeps the newest messages that fit. */
export const clearOldestResults: Compact = (past, budgetTokens, counter) => {
  const transcript = Transcript.of(past, counter);
  const kept = [...past];
  let tokens = transcript.totalTokens;
  for (let at = 0; at < kept.length && tokens > budgetTokens; at++) {
    if (!isToolResult(kept[at]!)) continue;
    const placeholder = { ...kept[at]!, content: cleared };
    const saved = transcript.tokens(at) - transcript.countMessage(placeholder, at);
    if (saved <= 0) continue;
    kept[at] = placeholder;
    tokens -= saved;
  }
  return tokens > budgetTokens ? newestTokens(kept, budgetTokens, counter) : kept;
};
