import { type CompressRequest, type Draft, headEnd, type RequestRecognizer } from '@palimpsest/core';
import { foldRange, latestTailStart, tailSums, turnStart } from '@palimpsest/summary';

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
 * The groups to compact: from behind the system prompt to a tail of the last turns, cut shorter when these outgrow the
 * budget. `null` when nothing new lies before the tail.
 */
export function compactRange(input: TailInput): readonly [from: number, to: number] | null {
  const { draft, request, isRequest, turns, tailTokens, handoffAt } = input;
  const { transcript } = draft;
  const { keepLastExchanges = 0 } = request;
  const sums = tailSums(draft);
  const latest = latestTailStart(transcript);
  const earliest = turnStart(transcript, isRequest, Math.max(turns, keepLastExchanges));
  const kept = keepLastExchanges > 0 ? turnStart(transcript, isRequest, keepLastExchanges) : latest;
  let start = latest;
  while (start > earliest && (start > kept || sums[start - 1]! <= tailTokens)) start--;
  const head = headEnd(transcript, 0);
  return foldRange(
    { draft, head, handoffAt, wanted: start, ceilingTokens: tailTokens * 1.5, force: request.force ?? false },
    sums,
  );
}
