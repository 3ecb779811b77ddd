import type { Plan, PlanNotes } from '@palimpsest/core/authoring';
import { type FoldState, meetTarget, type PrunedDraft, planWithoutFold, prunedDraft } from '@palimpsest/engine-kit';
import type { Pass } from './pass.ts';

/** Plans a pass that prunes and folds nothing. @param notes with the reason for not folding */
export function planPruneOnly(
  pass: Pass,
  pruned: PrunedDraft,
  notes: PlanNotes & { readonly reason: string },
): Plan<FoldState> {
  const whole = pruned.prunedFrom > 0 ? prunedDraft(pass) : pruned;
  const { draft } = whole;
  const phases = [...whole.phases, ...meetTarget(whole)];
  const reason = draft.isEmpty ? notes.reason : `Old tool output was shortened. ${notes.reason}`;
  // A remembered summary that no handoff in this transcript confirms belongs to another session.
  const previousSummary = pass.previousSummary === null ? null : pass.state.previousSummary;
  return planWithoutFold(draft, { ...pass.state, previousSummary }, { ...notes, phases, reason });
}
