import type { Draft, Plan, PlanNotes } from '@palimpsest/core/authoring';
import type { Folded } from '../fold/fold-state.ts';

/** The plan of a draft in which nothing was folded. `degraded` if a summary failed and the draft has edits. */
export function planWithoutFold<S>(draft: Draft, state: S, notes: PlanNotes): Plan<S> {
  const isDegraded = Boolean(notes.failure) && !draft.isEmpty;
  return { edits: draft.edits(), state, ...(isDegraded ? { outcome: 'degraded' as const } : {}), notes };
}

/** The plan of a draft in which a range was folded. `degraded` if rules wrote the summary, because no model could. */
export function planWithFold<S>(draft: Draft, state: S, { kind }: Folded, notes: PlanNotes): Plan<S> {
  return { edits: draft.edits(), state, ...(kind === 'fallback' ? { outcome: 'degraded' as const } : {}), notes };
}
