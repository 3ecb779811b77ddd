import type { SummarizeRequest } from '@palimpsest/core';
import type { AnsweredRequest } from '../conversation/last-request.ts';
import type { ModelWindow } from '../provider/model-window.ts';

/** How long a provider keeps a prompt that is not used, in milliseconds. */
const cacheMs = 300_000;
/** The last prompt must have been cached to this share, or its provider may not cache at all. */
const minCachedShare = 0.5;
/** A page may be this much longer than requested. */
export const maxLengthRatio = 1.5;
/** Characters per token, at least. */
const minCharactersPerToken = 3;

/**
 * True if the provider still has the last request in its cache, and a page can be requested in one more message of it.
 * @param newer number of messages by which the conversation continues the request; `null` if it does not
 */
export function hasWarmCache(
  { answeredAt, cachedShare, sent, source }: AnsweredRequest,
  { budgetTokens, instruction, material }: SummarizeRequest,
  model: ModelWindow,
  { now, newer }: { readonly now: number; readonly newer: number | null },
): boolean {
  if (instruction === undefined || now - answeredAt >= cacheMs) return false;
  // A provider that reports no cache does not charge for one.
  if (cachedShare !== null && cachedShare < minCachedShare) return false;
  const cap = source.maxTokens;
  if (sent.model !== model.id || (cap !== undefined && cap < budgetTokens * maxLengthRatio)) return false;
  const added = Math.ceil(instruction.length / minCharactersPerToken);
  const size = { ...sent.size, tokens: sent.size.tokens + added, estimatedTokens: sent.size.estimatedTokens + added };
  if (model.isExceeded(size, cap)) return false;
  // What is newer than the last request has to stay, because the cached prompt does not have it.
  return newer !== null && newer <= (material.kept?.after.messages.length ?? 0);
}
