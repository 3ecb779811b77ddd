import type { PlanBasis } from '@palimpsest/core';
import type { Draft, Plan, PlanNotes } from '@palimpsest/core/authoring';

/**
 * Creates a plan from a draft without a summary. The outcome is `degraded` if a summary failed and the draft has edits.
 */
export function planWithoutSummary<S>(draft: Draft, state: S, notes: PlanNotes, basis?: PlanBasis): Plan<S> {
  const isDegraded = Boolean(notes.failure) && !draft.isEmpty;
  const relativeTo = basis === undefined ? {} : { basis };
  return { edits: draft.edits(), ...relativeTo, state, ...(isDegraded ? { outcome: 'degraded' as const } : {}), notes };
}
