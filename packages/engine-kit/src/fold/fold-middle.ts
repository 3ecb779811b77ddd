import { type Draft, type Plan, writeHandoff } from '@palimpsest/core/authoring';
import type { GroupRange } from '../boundaries/group-range.ts';
import { summaryBudget } from '../budget/summary-budget.ts';
import type { EnginePass } from '../plan/engine-pass.ts';
import type { KnownFoldState } from '../plan/fold-state.ts';
import { overheadOf } from '../plan/overhead.ts';
import { planAfterFold } from '../plan/plan-after-fold.ts';
import { planPruneOnly, type UnfoldedNotes } from '../plan/plan-prune-only.ts';
import { isPruningEnough, type PrunedDraft } from '../prune/pruned-draft.ts';
import { callsModel, type FoldIntoHandoffInput, foldIntoHandoff } from './fold-into-handoff.ts';
import { nextStepLine } from './next-step-line.ts';

const asGood = 'Pruning saves as much as a summary of the usual length would, so no model was called.';
const noSmaller =
  'The handoff would have been larger than the pruned messages that it replaces, so nothing was folded.';

/**
 * Minimum saving of a new plan over the history, as a share of the current messages' tokens. Handoffs with the same
 * content differ by a few tokens. That alone must not replace a summary and invalidate the cached prefix.
 */
const leastSaving = 0.01;

/** Tokens of a range in a draft that a fold removes: all but the current request. */
function removedTokens(draft: Draft, [from, to]: GroupRange): number {
  const { groups, request } = draft.transcript;
  let tokens = 0;
  for (let at = groups[from]!.from; at < groups[to - 1]!.to; at++)
    if (!request || at < request.from || at >= request.to) tokens += draft.currentTokens(at);
  return tokens;
}

/**
 * Folds a range into a handoff and, with a target, cuts the rest of the transcript to it.
 * @param pruneOnly creates the plan if pruning reclaims at least as much. @default {@link planPruneOnly}
 */
export async function foldMiddle<S extends KnownFoldState>(
  pass: EnginePass<S>,
  pruned: PrunedDraft,
  range: GroupRange,
  pruneOnly: (notes: UnfoldedNotes) => Plan<S> = (notes) => planPruneOnly(pass, pruned, notes),
): Promise<Plan<S>> {
  const { transcript, basis, request, host, budget, previousSummary, carriedSummary, isFresh, state, fold } = pass;
  const { draft, targetFold } = pruned;
  const sourceTokens = transcript.tokensOfGroups(...range);
  const { nextStep } = request;
  const closing = nextStep === undefined ? fold.closing?.(transcript) : nextStepLine(nextStep, transcript, host);
  const closingTokens = closing === undefined ? 0 : host.tokens.countText(`\n\n${closing}`);
  const input: FoldIntoHandoffInput = {
    draft,
    request,
    range,
    engine: fold.engine,
    previousSummary,
    carriedSummary,
    isFresh,
    template: fold.template,
    budgetTokens: targetFold
      ? Math.max(1, targetFold.handoffTokens(sourceTokens) - closingTokens)
      : summaryBudget({ sourceTokens, ...budget, overheadTokens: overheadOf(transcript, request) }),
    focusTopic: pass.focusTopic,
    pins: fold.pins?.(transcript.messages),
    abortOnFailure: fold.abortOnFailure,
    closing,
  };
  const isAsGood = (reclaimedTokens: number): boolean =>
    pruned.prunedFrom > 0 && isPruningEnough(pass, pruned, reclaimedTokens);
  if (!request.force && callsModel(input, host)) {
    // Assumes the length in a window without overhead: a call has to save more than the shorter summary alone would.
    const usualTokens = targetFold ? input.budgetTokens : summaryBudget({ sourceTokens, ...budget });
    const handoffTokens = usualTokens + closingTokens + host.tokens.countText(writeHandoff(''));
    const expected = removedTokens(draft, range) - handoffTokens;
    // A summary that would probably be discarded below is not paid for.
    if (expected <= 0 || isAsGood(expected)) return pruneOnly({ reason: asGood });
  }
  const folded = await foldIntoHandoff(input, host);
  if (folded.kind === 'aborted') return planAfterFold({ draft, range, folded, state });
  if (folded.kind === 'larger') return pruneOnly(folded.notes);
  const isPruningAsGood = isAsGood(folded.reclaimedTokens);
  const targetPhases = isPruningAsGood ? [] : (targetFold?.cutToFit() ?? []);
  const most = basis === 'source' ? pass.currentTokens * (1 - leastSaving) : pass.currentTokens;
  if (isPruningAsGood || draft.tokens >= most) {
    const { modelCalls, warnings, failure, auxiliaryFailure } = folded.notes;
    return pruneOnly({ modelCalls, warnings, failure, auxiliaryFailure, reason: noSmaller });
  }
  fold.afterFold?.(draft);
  const phases = [...pruned.phases, ...(folded.notes.phases ?? []), ...targetPhases];
  const reason = folded.kind === 'fallback' ? fold.reasons.fallback : fold.reasons.folded;
  const next = fold.nextState ? fold.nextState(state, 'folded') : state;
  return planAfterFold({ draft, range, folded, state: next, basis, isFresh, notes: { phases, reason } });
}
