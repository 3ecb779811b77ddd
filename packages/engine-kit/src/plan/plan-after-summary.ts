import type { PlanBasis } from '@palimpsest/core';
import { type Draft, digestHandoff, type Plan, type PlanNotes } from '@palimpsest/core/authoring';
import type { SummarizedMessages } from '@palimpsest/summary';
import type { GroupRange } from '../boundaries/find-summarized-range.ts';
import type { SummaryState } from './summary-state.ts';

/** Input of {@link planAfterSummary}. */
export interface PlanAfterSummaryInput<S> {
  readonly draft: Draft;
  /** The groups that were to be summarized. */
  readonly range: GroupRange;
  /** What `summarizeRange` returned. */
  readonly summarized: SummarizedMessages;
  /** The state before the pass. */
  readonly state: S;
  /** What the edits are relative to. @default 'transcript' */
  readonly basis?: PlanBasis | undefined;
  /** False for a message that an earlier summary covers. @default no message is covered */
  readonly isFresh?: ((index: number) => boolean) | undefined;
  /** Overrides notes of the summary, such as `reason` and `phases`. @default none */
  readonly notes?: PlanNotes | undefined;
}

/**
 * Creates a plan from a draft after a summary, with the next state. The outcome is `degraded` if rules wrote the summary
 * because no model could, and `aborted`, without edits, if the summary was aborted. If the handoff would have been
 * larger, nothing was summarized and the state stays the same.
 */
export function planAfterSummary<S extends SummaryState>(input: PlanAfterSummaryInput<S>): Plan<S> {
  const { draft, summarized, state, basis, isFresh = () => true } = input;
  if (summarized.kind === 'aborted') return { edits: [], state, outcome: 'aborted', notes: summarized.notes };
  const notes = { ...summarized.notes, ...input.notes };
  if (summarized.kind === 'larger') return planWithoutSummary(draft, state, notes, basis);
  const { groups } = draft.transcript;
  const [from, to] = input.range;
  const isFallback = summarized.kind === 'fallback';
  let dropped = 0;
  for (let at = groups[from]!.from; isFallback && at < groups[to - 1]!.to; at++) if (isFresh(at)) dropped++;
  const next = {
    ...state,
    handoffDigest: digestHandoff(summarized.body),
    carriedSummary: summarized.carriedSummary,
    droppedWithoutSummary: state.droppedWithoutSummary + dropped,
    fallbackUsed: isFallback,
  };
  const relativeTo = basis === undefined ? {} : { basis };
  return {
    edits: draft.edits(),
    ...relativeTo,
    state: next,
    ...(isFallback ? { outcome: 'degraded' as const } : {}),
    notes,
  };
}

/**
 * Creates a plan from a draft without a summary. The outcome is `degraded` if a summary failed and the draft has edits.
 */
export function planWithoutSummary<S>(draft: Draft, state: S, notes: PlanNotes, basis?: PlanBasis): Plan<S> {
  const isDegraded = Boolean(notes.failure) && !draft.isEmpty;
  const relativeTo = basis === undefined ? {} : { basis };
  return { edits: draft.edits(), ...relativeTo, state, ...(isDegraded ? { outcome: 'degraded' as const } : {}), notes };
}
