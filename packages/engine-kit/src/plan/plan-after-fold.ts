import type { Draft, Plan, PlanNotes } from '@palimpsest/core/authoring';
import type { Condensed } from '@palimpsest/summary';
import type { GroupRange } from '../boundaries/group-range.ts';
import type { FoldState } from './fold-state.ts';
import { planWithoutFold } from './plan-without-fold.ts';

/** A fold state in which the summary may be absent, as in states of older versions. */
type KnownFoldState = Omit<FoldState, 'previousSummary'> & { readonly previousSummary?: string | null | undefined };

/** Input of {@link planAfterFold}. */
export interface PlanAfterFoldInput<S> {
  readonly draft: Draft;
  /** The groups that were to be folded. */
  readonly range: GroupRange;
  /** What `foldIntoHandoff` returned. */
  readonly folded: Condensed;
  /** The state before the pass. */
  readonly state: S;
  /** Overrides notes of the fold, such as `reason` and `phases`. @default none */
  readonly notes?: PlanNotes | undefined;
}

/**
 * Makes the plan of a draft after a fold, with the next state. `degraded` if rules wrote the summary, because no model
 * could; `aborted`, without edits, if the fold was aborted. If nothing was folded, because the handoff would have been
 * larger, the state stays as it is.
 */
export function planAfterFold<S extends KnownFoldState>(input: PlanAfterFoldInput<S>): Plan<S> {
  const { draft, folded, state } = input;
  if (folded.kind === 'aborted') return { edits: [], state, outcome: 'aborted', notes: folded.notes };
  const notes = { ...folded.notes, ...input.notes };
  if (folded.kind === 'larger') return planWithoutFold(draft, state, notes);
  const { groups } = draft.transcript;
  const [from, to] = input.range;
  const isFallback = folded.kind === 'fallback';
  const dropped = isFallback ? groups[to - 1]!.to - groups[from]!.from : 0;
  const next = {
    ...state,
    previousSummary: folded.body,
    droppedWithoutSummary: state.droppedWithoutSummary + dropped,
    fallbackUsed: isFallback,
  };
  return { edits: draft.edits(), state: next, ...(isFallback ? { outcome: 'degraded' as const } : {}), notes };
}
