import {
  alignTailStart,
  type CompressRequest,
  headEnd,
  isBlank,
  isSystem,
  type RequestRecognizer,
  type Transcript,
} from '@palimpsest/core';

/** What the bounds are computed from. */
export interface BoundInput {
  readonly transcript: Transcript;
  readonly request: CompressRequest;
  readonly isRequest: RequestRecognizer;
  /** Messages of the head beyond the system prompt; 0 after the first compaction. */
  readonly protectFirst: number;
  /** The most those messages may weigh; a heavier head is not kept. */
  readonly headTokens: number;
  readonly protectLast: number;
  readonly tailTokens: number;
  /** The newest message that carries a handoff; -1 for none. The tail starts behind it. */
  readonly handoffAt: number;
  /** Tokens of a message as the draft has it: pruned output weighs what it weighs now. */
  tokens(index: number): number;
}

/** Group ranges: head `[0, headEnd)`, middle `[headEnd, tailStart)`, tail `[tailStart, ...)`. */
export interface Bounds {
  readonly headEnd: number;
  readonly tailStart: number;
}

/** How far over its budget a tail may go to keep one oversized group whole (Hermes Agent). */
const softCeiling = 1.5;

/** Finds head, middle and tail, on group edges. An empty middle means that there is nothing to do. */
export function bound(input: BoundInput): Bounds {
  const { transcript, request, tailTokens, handoffAt } = input;
  const head = keptHead(input);
  // Behind an earlier handoff: it is state, and only what came after it can be news.
  const first = Math.max(head, handoffAt < 0 ? 0 : transcript.groupOf(handoffAt) + 1);
  const ceiling = tailTokens * softCeiling;
  const sums = tailSums(input);
  let start = Math.min(walkBack(input, sums, ceiling, first), replyStart(transcript, sums, ceiling));
  if (request.keepLastExchanges) start = Math.min(start, exchangeStart(input, request.keepLastExchanges));
  if (request.force && start <= first) start = halfway(transcript, sums, first);
  if (start <= first) return { headEnd: head, tailStart: head };
  return { headEnd: head, tailStart: alignTailStart(transcript, start, first, (group) => sums[group]! <= ceiling) };
}

/** Where the kept head ends, unless it weighs too much. */
function keptHead(input: BoundInput): number {
  const end = headEnd(input.transcript, headLimit(input));
  const bare = headEnd(input.transcript, 0);
  return input.transcript.tokensOfGroups(bare, end) <= input.headTokens ? end : bare;
}

/** The group that splits what follows `first` into two halves of about equal size; where a forced tail starts. */
function halfway(transcript: Transcript, sums: Float64Array, first: number): number {
  const last = lastStart(transcript);
  let start = first;
  while (start < last && sums[start]! > sums[first]! / 2) start++;
  return Math.max(start, Math.min(first + 1, last));
}

/** The group the head may reach: `protectFirst` messages beyond the system prompt, never into the current request. */
function headLimit({ transcript, protectFirst }: BoundInput): number {
  const { groups, messages, request } = transcript;
  const last = request ? transcript.groupOf(request.from) : groups.length;
  let counted = 0;
  let limit = 0;
  while (limit < last) {
    const group = groups[limit]!;
    if (!isSystem(messages[group.from]!)) {
      if (counted >= protectFirst) break;
      counted += group.to - group.from;
    }
    limit++;
  }
  return limit;
}

/** For every group, the tokens from it to the end. */
function tailSums({ transcript, tokens }: BoundInput): Float64Array {
  const { groups } = transcript;
  const sums = new Float64Array(groups.length + 1);
  for (let index = groups.length - 1; index >= 0; index--) {
    let own = 0;
    for (let at = groups[index]!.from; at < groups[index]!.to; at++) own += tokens(at);
    sums[index] = sums[index + 1]! + own;
  }
  return sums;
}

/** Back by groups up to the budget; the group that crosses it stays when the ceiling allows, and so do the last few messages. */
function walkBack(input: BoundInput, sums: Float64Array, ceiling: number, first: number): number {
  const { transcript, tailTokens, protectLast } = input;
  const { groups, length } = transcript;
  const floor = Math.min(8, Math.max(3, protectLast));
  let start = lastStart(transcript);
  while (start > first) {
    const next = start - 1;
    const messages = length - groups[next]!.to;
    const fits = sums[start]! < tailTokens && sums[next]! <= ceiling;
    const wanted = messages < 3 && input.request.targetTokens === undefined;
    const floored = messages < floor && sums[next]! <= ceiling;
    if (!fits && !wanted && !floored) break;
    start = next;
  }
  return start;
}

/** The latest start a tail can have: the exchange under way always stays. */
function lastStart(transcript: Transcript): number {
  return transcript.inFlight ? transcript.groupOf(transcript.inFlight.from) : transcript.groups.length;
}

/** The group of the last visible reply of the assistant when the tail can hold it, else the end. */
function replyStart(transcript: Transcript, sums: Float64Array, ceiling: number): number {
  const at = transcript.messages.findLastIndex((message) => message.role === 'assistant' && !isBlank(message.content));
  const group = at < 0 ? transcript.groups.length : transcript.groupOf(at);
  return sums[group]! <= ceiling ? group : transcript.groups.length;
}

/** The group where the newest `count` exchanges begin: each a run of requests and all that answered it. */
function exchangeStart({ transcript, isRequest }: BoundInput, count: number): number {
  const { messages } = transcript;
  let found = 0;
  for (let at = messages.length - 1; at >= 0; at--) {
    if (messages[at]!.role !== 'user' || !isRequest(messages[at]!, at, messages)) continue;
    const continues = at > 0 && messages[at - 1]!.role === 'user' && isRequest(messages[at - 1]!, at - 1, messages);
    if (!continues && ++found === count) return transcript.groupOf(at);
  }
  return transcript.groups.length;
}
