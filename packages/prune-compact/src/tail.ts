import type { CompressRequest, Dialect, RequestRecognizer } from '@palimpsest/core';
import { type Draft, headEnd } from '@palimpsest/core/authoring';
import { foldRange, latestTailStart, tailSums, turnStart } from '@palimpsest/summary';

export interface TailInput {
  readonly draft: Draft;
  readonly request: CompressRequest;
  readonly isRequest: RequestRecognizer;
  readonly dialect: Dialect;
  /** Turns the tail holds at most. */
  readonly turns: number;
  readonly tailTokens: number;
  /** The newest message that carries a handoff; -1 for none. */
  readonly handoffAt: number;
}

/** How far over its budget a tail may go to begin where it legally can. A target is kept exactly. */
const softCeiling = 1.5;
/** What a target leaves to the tail; the rest is the handoff's. */
const tailShare = 0.75;

/**
 * The groups to compact: from behind the system prompt to a tail of the last turns, cut shorter when these outgrow the
 * budget. `null` when nothing new lies before the tail.
 */
export function compactRange(input: TailInput): readonly [from: number, to: number] | null {
  const { draft, request, isRequest, turns, handoffAt } = input;
  const { transcript } = draft;
  const { keepLastExchanges = 0, overheadTokens = 0, targetTokens } = request;
  const fixed = (at: number): boolean =>
    at < transcript.leading ||
    (transcript.request !== null && at >= transcript.request.from && at < transcript.request.to);
  // Of a target, what must stay is taken off first, and weighs nothing then.
  const left =
    targetTokens === undefined
      ? Infinity
      : Math.max(0, Math.floor(targetTokens * tailShare) - overheadTokens - transcript.fixedTokens);
  const tailTokens = Math.min(input.tailTokens, left);
  const sums = tailSums(
    draft,
    targetTokens === undefined ? undefined : (at) => (fixed(at) ? 0 : draft.currentTokens(at)),
  );
  const latest = latestTailStart(transcript);
  const earliest = turnStart(transcript, isRequest, Math.max(turns, keepLastExchanges));
  const kept = keepLastExchanges > 0 ? turnStart(transcript, isRequest, keepLastExchanges) : Infinity;
  let start = latest;
  while (start > earliest && (start > kept || sums[start - 1]! <= tailTokens)) start--;
  const ceiling = targetTokens === undefined ? tailTokens * softCeiling : tailTokens;
  const exact = start <= kept && kept < Infinity;
  const range = foldRange(
    {
      draft,
      head: headEnd(transcript, 0),
      handoffAt,
      dialect: input.dialect,
      wanted: start,
      ceilingTokens: exact ? Math.max(ceiling, sums[start]! * softCeiling) : ceiling,
      exact,
      // To meet a target, an earlier summary is rewritten even if nothing was added since.
      shrink: targetTokens !== undefined,
      force: request.force ?? false,
    },
    sums,
  );
  // What the caller asked to keep is kept, also where that leaves nothing to fold.
  return range && range[1] <= kept ? range : null;
}
