import type { Draft, Plan, PlanNotes } from '@palimpsest/core/authoring';
import { type FoldState, meetTarget, type PrunedDraft, planWithoutFold, prunedDraft } from '@palimpsest/engine-kit';
import { onProjection, type Pass } from './pass.ts';

/** Plans a pass that prunes and folds nothing. @param notes with the reason for not folding */
export function planPruneOnly(
  pass: Pass,
  pruned: PrunedDraft,
  notes: PlanNotes & { readonly reason: string },
): Plan<FoldState> {
  const whole = pruned.prunedFrom > 0 ? prunedDraft(pass) : pruned;
  const { draft } = whole;
  if (pass.basis === 'source' && !mayUnfold(pass, draft)) {
    const near = onProjection(pass);
    return planPruneOnly(near, prunedDraft(near), notes);
  }
  const phases = [...whole.phases, ...meetTarget(whole)];
  const reason = draft.isEmpty ? notes.reason : `Old tool output was shortened. ${notes.reason}`;
  // A remembered summary that no handoff in this transcript confirms belongs to another session.
  const previousSummary = pass.previousSummary === null ? null : pass.state.previousSummary;
  return planWithoutFold(draft, { ...pass.state, previousSummary }, { ...notes, phases, reason }, pass.basis);
}

/**
 * Pruning the history brings back what was folded. That is right for a target that has room for it, and must not cost a
 * model's summary.
 */
function mayUnfold({ request, previousSummary, carriedSummary, currentTokens }: Pass, draft: Draft): boolean {
  const hasRoom = previousSummary === null || (carriedSummary === null && request.targetTokens !== undefined);
  return hasRoom && draft.tokens < currentTokens;
}
