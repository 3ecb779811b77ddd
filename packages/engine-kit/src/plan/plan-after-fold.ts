import type { PlanBasis } from '@palimpsest/core';
import type { Draft, Plan, PlanNotes } from '@palimpsest/core/authoring';
import type { Condensed } from '@palimpsest/summary';
import type { GroupRange } from '../boundaries/group-range.ts';
import type { FoldState } from './fold-state.ts';
import { planWithoutFold } from './plan-without-fold.ts';

/** Input of {@link planAfterFold}. */
export interface PlanAfterFoldInput<S> {
  readonly draft: Draft;
  /** The groups that were to be folded. */
  readonly range: GroupRange;
  /** What `foldIntoHandoff` returned. */
  readonly folded: Condensed;
  /** The state before the pass. */
  readonly state: S;
  /** What the edits are relative to. @default 'transcript' */
  readonly basis?: PlanBasis | undefined;
  /** False for a message that an earlier summary covers. @default no message is covered */
  readonly isFresh?: ((index: number) => boolean) | undefined;
  /** Overrides notes of the fold, such as `reason` and `phases`. @default none */
  readonly notes?: PlanNotes | undefined;
}

/**
 * Creates a plan from a draft after a fold, with the next state. The outcome is `degraded` if rules wrote the summary
 * because no model could, and `aborted`, without edits, if the fold was aborted. If the handoff would have been larger,
 * nothing was folded and the state stays the same.
 */
export function planAfterFold<S extends FoldState>(input: PlanAfterFoldInput<S>): Plan<S> {
  const { draft, folded, state, basis, isFresh = () => true } = input;
  if (folded.kind === 'aborted') return { edits: [], state, outcome: 'aborted', notes: folded.notes };
  const notes = { ...folded.notes, ...input.notes };
  if (folded.kind === 'larger') return planWithoutFold(draft, state, notes, basis);
  const { groups } = draft.transcript;
  const [from, to] = input.range;
  const isFallback = folded.kind === 'fallback';
  let dropped = 0;
  for (let at = groups[from]!.from; isFallback && at < groups[to - 1]!.to; at++) if (isFresh(at)) dropped++;
  const next = {
    ...state,
    previousSummary: folded.body,
    carriedSummary: folded.carriedSummary,
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
