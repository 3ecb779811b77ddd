import { type CompressRequest, type Dialect, isBlank, isSystem, type RequestRecognizer } from '@palimpsest/core';
import { type Draft, headEnd, type Transcript, tailLead } from '@palimpsest/core/authoring';
import { foldRange, latestTailStart, tailSums, turnStart } from '@palimpsest/summary';

/** What the bounds are computed from. */
export interface BoundInput {
  readonly draft: Draft;
  readonly request: CompressRequest;
  readonly isRequest: RequestRecognizer;
  readonly dialect: Dialect;
  /** Messages of the head beyond the system prompt; 0 after the first compaction. */
  readonly protectFirst: number;
  /** The most those messages may weigh; a heavier head is not kept. */
  readonly headTokens: number;
  readonly protectLast: number;
  readonly tailTokens: number;
  /** Where the tail should start when a target is to be met, given head and the first and last group it may start at. */
  readonly startOf?: ((head: number, first: number, last: number) => number) | undefined;
  /** The newest message that carries a handoff; -1 for none. */
  readonly handoffAt: number;
  /** What a message weighs in the tail, by index. @default what the draft has made of it */
  readonly weigh?: ((index: number) => number) | undefined;
}

/** How far over its budget a tail may go to keep one oversized group whole (Hermes Agent). A target is kept exactly. */
const softCeiling = 1.5;
/** The same factor when a target has to be met: tool results in the tail are cut to fit afterwards. */
const targetCeiling = 1.1;

/** The middle, as a range of groups between head and tail; `null` when there is nothing to fold. */
export function bound(input: BoundInput): readonly [from: number, to: number] | null {
  const { draft, request, handoffAt, dialect } = input;
  const { transcript } = draft;
  const keeps = keptHead(input);
  const sums = tailSums(draft, input.weigh);
  const ceiling = input.tailTokens * softCeiling;
  const first = Math.max(keeps, handoffAt < 0 ? 0 : transcript.groupOf(handoffAt) + 1);
  const { startOf } = input;
  const budgeted = startOf
    ? startOf(keeps, first, Math.min(latestTailStart(transcript), answerStart(transcript, sums, input.tailTokens)))
    : Math.min(walkBack(input, sums, input.tailTokens, ceiling), replyStart(transcript, sums, ceiling));
  const { keepLastExchanges = 0 } = request;
  const kept = keepLastExchanges > 0 ? turnStart(transcript, input.isRequest, keepLastExchanges) : Infinity;
  const exact = kept < budgeted;
  const wanted = Math.min(budgeted, kept);
  // The tail may need the answer at the end of the head as its lead-in. Then only the system prompt is kept as head.
  const lead = tailLead(transcript, wanted);
  const head = lead !== null && lead < keeps ? headEnd(transcript, 0) : keeps;
  const range = foldRange(
    {
      draft,
      head,
      handoffAt,
      dialect,
      wanted,
      ceilingTokens: exact ? sums[kept]! * softCeiling : startOf ? sums[budgeted]! * targetCeiling : ceiling,
      exact,
      // With a target, nothing is folded that fits without.
      force: !startOf && (request.force ?? false),
      shrink: startOf !== undefined && budgeted > keeps,
    },
    sums,
  );
  // What the caller asked to keep is kept, also where that leaves nothing to fold.
  return range && range[1] <= kept ? range : null;
}

/** The group where the kept head ends, unless it weighs too much. */
export function keptHead(input: BoundInput): number {
  const { transcript } = input.draft;
  const end = headEnd(transcript, headLimit(input));
  const bare = headEnd(transcript, 0);
  return transcript.tokensOfGroups(bare, end) <= input.headTokens ? end : bare;
}

/** The group the head may reach: `protectFirst` messages beyond the system prompt, never into the current request. */
function headLimit({ draft, protectFirst }: BoundInput): number {
  const { groups, messages, request } = draft.transcript;
  const last = request ? draft.transcript.groupOf(request.from) : groups.length;
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

/** Back by groups up to the budget; the group that crosses it stays when the ceiling allows, and so do the last few messages. */
function walkBack(
  { draft, request, protectLast }: BoundInput,
  sums: Float64Array,
  tailTokens: number,
  ceiling: number,
): number {
  const { groups, length } = draft.transcript;
  const floor = Math.min(8, Math.max(3, protectLast));
  let start = latestTailStart(draft.transcript);
  while (start > 0) {
    const next = start - 1;
    const messages = length - groups[next]!.to;
    const fits = sums[start]! < tailTokens && sums[next]! <= ceiling;
    const wanted = messages < 3 && request.targetTokens === undefined;
    const floored = messages < floor && sums[next]! <= ceiling;
    if (!fits && !wanted && !floored) break;
    start = next;
  }
  return start;
}

/** The group of the last visible reply of the assistant when the tail can hold it, else the end. */
function replyStart(transcript: Transcript, sums: Float64Array, ceiling: number): number {
  const at = transcript.messages.findLastIndex((message) => message.role === 'assistant' && !isBlank(message.content));
  const group = at < 0 ? transcript.groups.length : transcript.groupOf(at);
  return sums[group]! <= ceiling ? group : transcript.groups.length;
}

/** The group of an answer that ends the transcript, when the tail can hold it: without it, what it answers would seem open. */
function answerStart(transcript: Transcript, sums: Float64Array, ceiling: number): number {
  const group = replyStart(transcript, sums, ceiling);
  return group === transcript.groups.length - 1 ? group : transcript.groups.length;
}
