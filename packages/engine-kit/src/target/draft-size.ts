import type { CompressRequest } from '@palimpsest/core';
import type { Draft } from '@palimpsest/core/authoring';

/**
 * Tokens of the whole prompt after a draft, based on the actual prompt size if the caller states it.
 * @param currentTokens tokens of the messages that the model sees now. @default those of the draft's transcript
 */
export function promptTokensAfter(
  draft: Draft,
  request: CompressRequest,
  currentTokens: number = draft.transcript.totalTokens,
): number {
  const before = request.currentTokens ?? currentTokens + (request.overheadTokens ?? 0);
  return before - (currentTokens - draft.tokens);
}

/** Tokens by which a draft exceeds the target of a request; 0 if the target is met or there is none. */
export function tokensOverTarget(draft: Draft, request: CompressRequest): number {
  if (request.targetTokens === undefined) return 0;
  return Math.max(0, draft.tokens + (request.overheadTokens ?? 0) - request.targetTokens);
}
