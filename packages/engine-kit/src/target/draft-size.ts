import type { CompressOptions } from '@palimpsest/core';
import type { Draft } from '@palimpsest/core/authoring';

/**
 * Tokens of the whole prompt after a draft, based on the actual prompt size if the caller states it.
 * @param currentTokens tokens of the messages that the model sees now. @default those of the draft's transcript
 */
export function promptTokensAfter(
  draft: Draft,
  asked: CompressOptions,
  currentTokens: number = draft.transcript.totalTokens,
): number {
  const before = asked.currentTokens ?? currentTokens + (asked.overheadTokens ?? 0);
  return before - (currentTokens - draft.tokens);
}

/** How many tokens a draft is over its target. 0 if it meets the target, or has none. */
export function tokensOverTarget(draft: Draft, asked: CompressOptions): number {
  if (asked.targetTokens === undefined) return 0;
  return Math.max(0, draft.tokens + (asked.overheadTokens ?? 0) - asked.targetTokens);
}
