import { alignTailStart, type CompressRequest, type Draft, headEnd, type RequestRecognizer } from '@palimpsest/core';

export interface TailInput {
  readonly draft: Draft;
  readonly request: CompressRequest;
  readonly isRequest: RequestRecognizer;
  /** Turns the tail holds at most. */
  readonly turns: number;
  readonly tailTokens: number;
  /** The newest message that carries a handoff; -1 for none. */
  readonly handoffAt: number;
}

/**
 * The group range to compact: from behind the system prompt to a tail of the last turns, cut shorter when these
 * outgrow the budget. `null` when nothing new lies before the tail.
 */
export function compactRange(input: TailInput): readonly [from: number, to: number] | null {
  const { draft, request, handoffAt, tailTokens } = input;
  const { transcript } = draft;
  const { groups, inFlight } = transcript;
  const from = headEnd(transcript, 0);
  const first = Math.max(from, handoffAt < 0 ? 0 : transcript.groupOf(handoffAt) + 1);
  const latest = inFlight ? transcript.groupOf(inFlight.from) : groups.length;
  const earliest = Math.max(first, turnStart(input, Math.max(input.turns, request.keepLastExchanges ?? 0)));
  const kept = request.keepLastExchanges ? turnStart(input, request.keepLastExchanges) : latest;
  const sums = new Float64Array(groups.length + 1);
  for (let group = groups.length - 1; group >= earliest; group--) {
    let own = 0;
    for (let at = groups[group]!.from; at < groups[group]!.to; at++) own += draft.currentTokens(at);
    sums[group] = sums[group + 1]! + own;
  }
  let start = latest;
  while (start > earliest && (start > kept || sums[start - 1]! <= tailTokens)) start--;
  // When the last turns fit whole and nothing lies before them, a forced compaction takes the older half of them.
  if (start <= first && request.force) while (start < latest && sums[start]! > sums[first]! / 2) start++;
  if (start <= first) return null;
  return [
    from,
    alignTailStart(transcript, start, first, (group) => group >= earliest && sums[group]! <= tailTokens * 1.5),
  ];
}

/** The group where the newest `count` turns begin, each at a run of requests; 0 when there are fewer. */
function turnStart({ draft, isRequest }: TailInput, count: number): number {
  const { messages } = draft.transcript;
  const real = (at: number): boolean => messages[at]!.role === 'user' && isRequest(messages[at]!, at, messages);
  let found = 0;
  for (let at = messages.length - 1; at >= 0; at--)
    if (real(at) && !(at > 0 && real(at - 1)) && ++found >= count) return draft.transcript.groupOf(at);
  return 0;
}
