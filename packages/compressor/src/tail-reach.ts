import { type Draft, hasToolCalls, isToolResult, type Transcript } from '@palimpsest/core';

/** What a result weighs, about, once it is a stub. Tokens. */
const stubTokens = 30;
/** A fold that takes away so many times what its handoff may weigh is smaller for certain. */
const certain = 2;

/**
 * Index of the message behind which a tail surely begins, however much of it is pruned; 0 for a transcript that is not
 * much longer than that. What lies before is folded: to prune it first would be most of the work of a compression, for
 * nothing. A guess, to be checked by {@link foldsAllBefore}.
 */
export function tailReach(transcript: Transcript, tailTokens: number, handoffTokens: number): number {
  const { groups, length } = transcript;
  let left = tailTokens + certain * handoffTokens;
  let group = groups.length - 1;
  for (; group > 0 && left > 0; group--) {
    const { kind, from, to } = groups[group]!;
    const calls = kind === 'exchange' && transcript.tokensBetween(from, length) > tailTokens;
    left -= calls ? transcript.tokens(from) + (to - from - 1) * stubTokens : transcript.tokensBetween(from, to);
  }
  return left > 0 ? 0 : groups[group]!.from;
}

/**
 * True when all that lies before `reach` is folded but for messages without anything to prune, by a handoff that is
 * smaller for certain than what is left of the rest.
 * @param groups the middle that is to be folded
 */
export function foldsAllBefore(
  reach: number,
  draft: Draft,
  groups: readonly [from: number, to: number],
  handoffTokens: number,
): boolean {
  const { transcript } = draft;
  const head = transcript.messages.slice(0, transcript.groups[groups[0]]!.from);
  const end = transcript.groups[groups[1] - 1]!.to;
  if (head.some((message) => hasToolCalls(message) || isToolResult(message) || Array.isArray(message.content)))
    return false;
  let weight = 0;
  for (let at = reach; at < end; at++) weight += draft.currentTokens(at);
  return weight > certain * handoffTokens;
}
