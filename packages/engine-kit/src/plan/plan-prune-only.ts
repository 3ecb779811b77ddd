import type { Draft, Plan, PlanNotes } from '@palimpsest/core/authoring';
import { type PrunedDraft, prunedDraft } from '../prune/pruned-draft.ts';
import { type EnginePass, onProjection } from './engine-pass.ts';
import type { FoldState } from './fold-state.ts';
import { planWithoutFold } from './plan-without-fold.ts';

/** Notes that state why nothing was folded. */
export type UnfoldedNotes = PlanNotes & { readonly reason: string };

/** What a pass does if it folds nothing. */
export interface Unfolded<S> {
  /** Tokens of the messages after pruning. */
  readonly tokens: () => number;
  /**
   * Creates the plan.
   * @param notes notes for the report, with the reason for not folding
   * @param isSpent true if the draft already contains a fold; the messages are then pruned again
   */
  readonly plan: (notes: UnfoldedNotes, isSpent: boolean) => Plan<S>;
}

/** A pass that only prunes and, with a target, cuts tool results to fit; see {@link planPruneOnly}. */
export function prunedAlone<S extends FoldState>(pass: EnginePass<S>, pruned: () => PrunedDraft): Unfolded<S> {
  return {
    tokens: () => withoutFold(pass, pruned()).whole.draft.tokens,
    plan: (notes, isSpent) => planPruneOnly(pass, isSpent ? prunedDraft(pass) : pruned(), notes),
  };
}

/**
 * Plans a pass that folds nothing: it prunes and, with a target, cuts tool results to fit.
 * @param notes notes for the report, with the reason for not folding
 */
export function planPruneOnly<S extends FoldState>(
  given: EnginePass<S>,
  pruned: PrunedDraft,
  notes: UnfoldedNotes,
): Plan<S> {
  const { pass, whole } = withoutFold(given, pruned);
  const { draft, phases } = whole.settle(whole.draft);
  const reason = draft.isEmpty ? notes.reason : `Old tool output was shortened. ${notes.reason}`;
  const { nextState = (same: S): S => same } = pass.fold;
  const state = draft.isEmpty ? pass.state : nextState(pass.state, 'pruned');
  // A remembered summary without a matching handoff in this transcript belongs to another session.
  const previousSummary = pass.previousSummary === null ? null : state.previousSummary;
  return planWithoutFold(draft, { ...state, previousSummary }, { ...notes, phases, reason }, pass.basis);
}

/** Prunes the history, or only the messages to compress if those that were folded have to stay folded. */
function withoutFold<S extends FoldState>(
  pass: EnginePass<S>,
  pruned: PrunedDraft,
): { readonly pass: EnginePass<S>; readonly whole: PrunedDraft } {
  if (pass.basis !== 'source' || mayUnfold(pass, pruned.draft)) return { pass, whole: pruned };
  const near = onProjection(pass);
  return { pass: near, whole: prunedDraft(near) };
}

/**
 * Pruning the history without a fold restores messages that were folded. This is allowed only for a target with room
 * for them, and only if no model's summary is lost.
 */
function mayUnfold<S>(pass: EnginePass<S>, draft: Draft): boolean {
  const { asked, previousSummary, carriedSummary, currentTokens } = pass;
  const hasRoom = previousSummary === null || (carriedSummary === null && asked.targetTokens !== undefined);
  return hasRoom && draft.tokens < currentTokens;
}
