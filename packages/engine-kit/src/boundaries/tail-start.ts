import { type CompressOptions, isBlank } from '@palimpsest/core';
import type { Draft, Transcript } from '@palimpsest/core/authoring';

/** Limits for choosing the start of a tail. */
export interface TailLimits {
  readonly asked: CompressOptions;
  /** Number of messages to keep at the end if they fit; limited to 3 to 8. */
  readonly protectLast: number;
  /** Tokens the tail should have. */
  readonly tailTokens: number;
  /** Maximum tokens of the tail if that keeps one oversized group whole. */
  readonly ceilingTokens: number;
}

/** Without a target and without pending tool calls, a tail keeps this many messages, however large they are. */
const minMessages = 3;
const maxProtected = 8;

/**
 * Returns the group at which a tail within the token budget starts. The group that exceeds the budget stays if the
 * ceiling allows it. The pending tool calls always stay; without any, the last few messages do.
 * @param sums tokens from each group to the end
 */
export function tailStartInBudget(transcript: Transcript, sums: Float64Array, limits: TailLimits): number {
  const { asked, protectLast, tailTokens, ceilingTokens } = limits;
  const { groups, length } = transcript;
  const protectedMessages = Math.min(maxProtected, Math.max(minMessages, protectLast));
  let start = latestTailStart(transcript);
  while (start > 0) {
    const next = start - 1;
    const messages = length - groups[next]!.to;
    const fits = sums[start]! < tailTokens && sums[next]! <= ceilingTokens;
    const isLeast = messages < minMessages && asked.targetTokens === undefined && !transcript.pendingCalls;
    const isProtected = messages < protectedMessages && sums[next]! <= ceilingTokens;
    if (!fits && !isLeast && !isProtected) break;
    start = next;
  }
  return start;
}

/** The group of the assistant's last visible reply if the tail can include it, else the end. */
export function lastReplyStart(transcript: Transcript, sums: Float64Array, ceilingTokens: number): number {
  const at = transcript.messages.findLastIndex((message) => message.role === 'assistant' && !isBlank(message.content));
  const group = at < 0 ? transcript.groups.length : transcript.groupOf(at);
  return sums[group]! <= ceilingTokens ? group : transcript.groups.length;
}

/**
 * The group of a reply at the end of the transcript if the tail can include it, else the end. Without the reply, the
 * task would look unanswered.
 */
export function finalReplyStart(transcript: Transcript, sums: Float64Array, ceilingTokens: number): number {
  const group = lastReplyStart(transcript, sums, ceilingTokens);
  return group === transcript.groups.length - 1 ? group : transcript.groups.length;
}

/** The latest group at which a tail can start: the pending tool calls always stay in the tail. */
export function latestTailStart(transcript: Transcript): number {
  return transcript.pendingCalls ? transcript.groupOf(transcript.pendingCalls.from) : transcript.groups.length;
}

/**
 * For every group, the tokens from that group to the end of the transcript. The last entry, for the end itself, is 0.
 * @param weigh returns the tokens of a message, given by index. @default its tokens in the draft
 */
export function tailTokensByGroup(
  draft: Draft,
  weigh: (index: number) => number = (index) => draft.currentTokens(index),
): Float64Array {
  const { groups } = draft.transcript;
  const sums = new Float64Array(groups.length + 1);
  for (let group = groups.length - 1; group >= 0; group--) {
    let own = 0;
    for (let at = groups[group]!.from; at < groups[group]!.to; at++) own += weigh(at);
    sums[group] = sums[group + 1]! + own;
  }
  return sums;
}
