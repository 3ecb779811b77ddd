import { type Draft, type LaterInstructions, leastSaving, type Plan, writeHandoff } from '@palimpsest/core/authoring';
import type { GroupRange } from '../boundaries/group-range.ts';
import { instructionBudget, instructionsOf } from '../budget/instruction-budget.ts';
import { summaryBudget } from '../budget/summary-budget.ts';
import type { EnginePass } from '../plan/engine-pass.ts';
import type { FoldState } from '../plan/fold-state.ts';
import { overheadOf } from '../plan/overhead.ts';
import { planAfterFold } from '../plan/plan-after-fold.ts';
import { prunedAlone, type Unfolded } from '../plan/plan-prune-only.ts';
import type { PrunedDraft } from '../prune/pruned-draft.ts';
import { callsModel, type FoldIntoHandoffInput, foldIntoHandoff } from './fold-into-handoff.ts';
import { nextStepLine } from './next-step-line.ts';

const nearlyAsGood = 'Pruning saves nearly as much as a summary would, so no model was called.';
const noSmaller =
  'The handoff would have been larger than the pruned messages that it replaces, so nothing was folded.';

/**
 * Expected tokens of a model's summary, if its budget allows as many. The median of 22 summaries by agents in real
 * transcripts.
 */
const usualSummary = 3_000;
/** What a call has to remove beyond pruning, as a share of the handoff. */
const leastGain = 0.5;

/** Tokens of a range in a draft that a fold removes: all but the current task and the host's instructions. */
function removedTokens(draft: Draft, [from, to]: GroupRange, { kept }: LaterInstructions): number {
  const { groups, task } = draft.transcript;
  let tokens = 0;
  for (let at = groups[from]!.from; at < groups[to - 1]!.to; at++)
    if (!kept.has(at) && (!task || at < task.from || at >= task.to)) tokens += draft.currentTokens(at);
  return tokens;
}

/**
 * Folds a range into a handoff and, with a target, cuts the rest of the transcript to it.
 *
 * Without `force`, a model is called only if the handoff removes at least half its own length more than pruning does. A
 * smaller gain does not pay for a call: a later pass folds the same messages, with those after them, for one summary
 * instead of two. Until then, pruning may leave at most half a handoff more. If pruning itself removes less than that, the
 * handoff only has to be smaller.
 * @param unfolded what is done instead of a fold. @default pruning alone
 */
export async function foldMiddle<S extends FoldState>(
  pass: EnginePass<S>,
  pruned: PrunedDraft,
  range: GroupRange,
  unfolded: Unfolded<S> = prunedAlone(pass, () => pruned),
): Promise<Plan<S>> {
  const { transcript, basis, asked, host, budget, previousSummary, carriedSummary, isFresh, state, fold } = pass;
  const { draft, targetFold } = pruned;
  const sourceTokens = transcript.tokensOfGroups(...range);
  const { nextStep } = asked;
  const closing = nextStep === undefined ? fold.closing?.(transcript) : nextStepLine(nextStep, transcript, host);
  const closingTokens = closing === undefined ? 0 : host.tokens.countText(`\n\n${closing}`);
  const input: FoldIntoHandoffInput = {
    draft,
    asked,
    range,
    engine: fold.engine,
    previousSummary,
    carriedSummary,
    isFresh,
    template: fold.template,
    instructionTokens: instructionBudget(budget),
    budgetTokens: targetFold
      ? Math.max(1, targetFold.handoffTokens(sourceTokens) - closingTokens)
      : summaryBudget({ sourceTokens, ...budget, overheadTokens: overheadOf(transcript, asked) }),
    focusTopic: pass.focusTopic,
    pins: fold.pins?.(transcript.messages),
    abortOnFailure: fold.abortOnFailure,
    closing,
  };
  if (!asked.force && callsModel(input, host)) {
    const summaryTokens = Math.min(input.budgetTokens, usualSummary);
    const handoffTokens = summaryTokens + closingTokens + host.tokens.countText(writeHandoff(''));
    const foldedTokens = draft.tokens - removedTokens(draft, range, instructionsOf(transcript, budget)) + handoffTokens;
    const prunedTokens = unfolded.tokens();
    const isPruningGood = pass.currentTokens - prunedTokens > handoffTokens * leastGain;
    const leastTokens = isPruningGood ? handoffTokens * leastGain : 0;
    if (prunedTokens - foldedTokens <= leastTokens) return unfolded.plan({ reason: nearlyAsGood }, false);
  }
  const folded = await foldIntoHandoff(input, host);
  if (folded.kind === 'aborted') return planAfterFold({ draft, range, folded, state });
  if (folded.kind === 'larger') return unfolded.plan(folded.notes, false);
  const foldedTokens = transcript.totalTokens - draft.withoutRewrites().tokens;
  const settled = pruned.settle(draft, fold.afterFold);
  // Handoffs with the same content differ by a few tokens. That alone must not replace one that is in the cached prefix.
  const most = basis === 'source' ? pass.currentTokens * (1 - leastSaving) : pass.currentTokens;
  if (settled.draft.tokens >= most) {
    const { modelCalls, warnings, failure, auxiliaryFailure } = folded.notes;
    return unfolded.plan({ modelCalls, warnings, failure, auxiliaryFailure, reason: noSmaller }, true);
  }
  const summarized = (folded.notes.phases ?? []).map((phase) => ({ ...phase, reclaimedTokens: foldedTokens }));
  const phases = [...settled.phases, ...summarized];
  const reason = folded.kind === 'fallback' ? fold.reasons.fallback : fold.reasons.folded;
  const next = fold.nextState ? fold.nextState(state, 'folded') : state;
  return planAfterFold({ draft: settled.draft, range, folded, state: next, basis, isFresh, notes: { phases, reason } });
}
