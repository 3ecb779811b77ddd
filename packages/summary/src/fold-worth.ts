import { isSystem, readHandoff, requestContent, type SummaryTemplate } from '@palimpsest/core';
import { type Draft, writeHandoff } from '@palimpsest/core/authoring';
import { formatSummary } from './template/parse-summary.ts';

/** A middle smaller than this many empty handoffs is not worth a model call. */
const leastShare = 2;

/**
 * Tokens of the turns that folding a range of groups would remove, as the draft has left them. System messages, earlier
 * handoffs and the current request, which stays verbatim, do not count.
 */
function foldedTokens(draft: Draft, [from, to]: readonly [from: number, to: number]): number {
  const { groups, messages, request } = draft.transcript;
  let tokens = 0;
  for (let group = from; group < to; group++) {
    for (let at = groups[group]!.from; at < groups[group]!.to; at++) {
      const message = messages[at]!;
      if (isSystem(message) || (request && at >= request.from && at < request.to)) continue;
      const own = readHandoff(message) ? requestContent(message) : null;
      if (own === null) tokens += draft.currentTokens(at);
      else if (own.length > 0) tokens += draft.transcript.countMessage({ ...message, content: own }, at);
    }
  }
  return tokens;
}

/**
 * True if a range is worth a model call: its turns have at least twice the tokens of an empty handoff. A smaller range
 * is left alone, or folded by rules to meet a target.
 */
export function isWorthModelCall(
  draft: Draft,
  groups: readonly [from: number, to: number],
  template: SummaryTemplate,
): boolean {
  const empty = draft.transcript.counter.countText(writeHandoff(formatSummary([], template)));
  return foldedTokens(draft, groups) >= empty * leastShare;
}
