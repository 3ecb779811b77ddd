import {
  type Draft,
  isSystem,
  readHandoff,
  requestContent,
  type SummaryTemplate,
  writeHandoff,
} from '@palimpsest/core';
import { formatSummary } from './template/parse-summary.ts';

/** A middle smaller than this many times an empty handoff costs a model more than it can take away. */
const leastShare = 2;

/**
 * Tokens of the turns in a range of groups that a fold would take away, as the draft has left them: no system message,
 * no handoff of an earlier pass, not the current request, which stays word for word.
 */
export function foldedTokens(draft: Draft, [from, to]: readonly [from: number, to: number]): number {
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
 * True when a range holds enough turns for a summary by a model: at least twice the tokens of a handoff that says
 * nothing. A smaller one is left alone, or folded by rules when a target has to be met.
 */
export function isWorthModelCall(
  draft: Draft,
  groups: readonly [from: number, to: number],
  template: SummaryTemplate,
): boolean {
  const empty = draft.transcript.counter.countText(writeHandoff(formatSummary([], template)));
  return foldedTokens(draft, groups) >= empty * leastShare;
}
