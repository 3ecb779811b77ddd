import type { Draft, Plan, PlanNotes } from '@palimpsest/core/authoring';

/** Makes the plan of a draft in which nothing was folded. `degraded` if a summary failed and the draft has edits. */
export function planWithoutFold<S>(draft: Draft, state: S, notes: PlanNotes): Plan<S> {
  const isDegraded = Boolean(notes.failure) && !draft.isEmpty;
  return { edits: draft.edits(), state, ...(isDegraded ? { outcome: 'degraded' as const } : {}), notes };
}
