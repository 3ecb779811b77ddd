import type { Draft, Plan, PlanNotes } from '@palimpsest/core/authoring';
import { createPrunedDraft, type PrunedDraft } from '../prune/pruned-draft.ts';
import { type EnginePass, onProjection } from './engine-pass.ts';
import { planWithoutSummary } from './plan-after-summary.ts';
import type { SummaryState } from './summary-state.ts';

/** Notes that state why nothing was summarized. */
export type UnsummarizedNotes = PlanNotes & { readonly reason: string };

/** What a pass does if it summarizes nothing. */
export interface Unsummarized<S> {
  /** Tokens of the messages after pruning. */
  readonly tokens: () => number;
  /**
   * Creates the plan.
   * @param notes notes for the report, with the reason for not summarizing
   * @param isSpent true if the draft already contains a summary; the messages are then pruned again
   */
  readonly plan: (notes: UnsummarizedNotes, isSpent: boolean) => Plan<S>;
}

/** A pass that only prunes and, with a target, cuts tool results to fit; see {@link planPruneOnly}. */
export function planPruning<S extends SummaryState>(pass: EnginePass<S>, prune: () => PrunedDraft): Unsummarized<S> {
  return {
    tokens: () => withoutSummary(pass, prune()).whole.draft.tokens,
    plan: (notes, isSpent) => planPruneOnly(pass, isSpent ? createPrunedDraft(pass) : prune(), notes),
  };
}

/**
 * Plans a pass that summarizes nothing: it prunes and, with a target, cuts tool results to fit.
 * @param notes notes for the report, with the reason for not summarizing
 */
export function planPruneOnly<S extends SummaryState>(
  given: EnginePass<S>,
  pruned: PrunedDraft,
  notes: UnsummarizedNotes,
): Plan<S> {
  const { pass, whole } = withoutSummary(given, pruned);
  const { draft, phases } = whole.settle(whole.draft);
  const reason = draft.isEmpty ? notes.reason : `Old tool output was shortened. ${notes.reason}`;
  const { nextState = (same: S): S => same } = pass.summary;
  const state = draft.isEmpty ? pass.state : nextState(pass.state, 'pruned');
  // A remembered handoff that is not in this transcript belongs to another session.
  const handoffDigest = pass.previousSummary === null ? null : state.handoffDigest;
  return planWithoutSummary(draft, { ...state, handoffDigest }, { ...notes, phases, reason }, pass.basis);
}

/** Prunes the history, or only the messages to compact if those that were summarized have to stay summarized. */
function withoutSummary<S extends SummaryState>(
  pass: EnginePass<S>,
  pruned: PrunedDraft,
): { readonly pass: EnginePass<S>; readonly whole: PrunedDraft } {
  if (pass.basis !== 'source' || mayUnsummarize(pass, pruned.draft)) return { pass, whole: pruned };
  const near = onProjection(pass);
  return { pass: near, whole: createPrunedDraft(near) };
}

/**
 * Pruning the history without a summary restores messages that were summarized. This is allowed only for a target with
 * room for them, and only if no model's summary is lost.
 */
function mayUnsummarize<S>(pass: EnginePass<S>, draft: Draft): boolean {
  const { asked, previousSummary, carriedSummary, currentTokens } = pass;
  const hasRoom = previousSummary === null || (carriedSummary === null && asked.targetTokens !== undefined);
  return hasRoom && draft.tokens < currentTokens;
}
