import type { EngineHost } from '@palimpsest/core';
import {
  type Draft,
  type LaterInstructions,
  minSavingShare,
  type Plan,
  type Transcript,
  writeHandoff,
} from '@palimpsest/core/authoring';
import { oneLine, truncate } from '@palimpsest/pruner/salience';
import type { GroupRange } from '../boundaries/find-summarized-range.ts';
import { instructionBudget, instructionsOf } from '../budget/instruction-budget.ts';
import { overheadOf, summaryBudget } from '../budget/summary-budget.ts';
import type { EnginePass } from '../plan/engine-pass.ts';
import { planAfterSummary } from '../plan/plan-after-summary.ts';
import { planPruning, type Unsummarized } from '../plan/plan-prune-only.ts';
import type { SummaryState } from '../plan/summary-state.ts';
import type { PrunedDraft } from '../prune/pruned-draft.ts';
import { callsModel, type SummarizeRangeInput, summarizeRange } from './summarize-range.ts';

/** Maximum characters of the agent's words. */
const maxStepLength = 1_000;

const nearlyAsGood = 'Pruning saves nearly as much as a summary would, so no model was called.';
const noSmaller =
  'The handoff would have been larger than the pruned messages that it replaces, so nothing was summarized.';

/**
 * Expected tokens of a model's summary, if its budget allows as many. The median of 22 summaries by agents in real
 * transcripts.
 */
const defaultSummaryTokens = 3_000;
/** What a call has to remove beyond pruning, as a share of the handoff. */
const minGain = 0.5;

/** Tokens of a range in a draft that a summary removes: all but the current task and the host's instructions. */
function tokensRemoved(draft: Draft, [from, to]: GroupRange, { kept }: LaterInstructions): number {
  const { groups, task } = draft.transcript;
  let tokens = 0;
  for (let at = groups[from]!.from; at < groups[to - 1]!.to; at++)
    if (!kept.has(at) && (!task || at < task.from || at >= task.to)) tokens += draft.currentTokens(at);
  return tokens;
}

/**
 * Replaces a range by a handoff and, with a target, cuts the rest of the transcript to it.
 *
 * Without `force`, a model is called only if the handoff removes at least half its own length more than pruning does. A
 * smaller gain does not pay for a call: a later pass summarizes the same messages, with those after them, for one
 * summary instead of two. Until then, pruning may leave at most half a handoff more. If pruning itself removes less than
 * that, the handoff only has to be smaller.
 * @param unsummarized what is done instead of a summary. @default pruning alone
 */
export async function summarizeMiddle<S extends SummaryState>(
  pass: EnginePass<S>,
  pruned: PrunedDraft,
  range: GroupRange,
  unsummarized: Unsummarized<S> = planPruning(pass, () => pruned),
): Promise<Plan<S>> {
  const { transcript, basis, asked, host, budget, previousSummary, carriedSummary, isFresh, state, summary } = pass;
  const { draft, targetSummary } = pruned;
  const sourceTokens = transcript.tokensOfGroups(...range);
  const { nextStep } = asked;
  const closing = nextStep === undefined ? summary.closing?.(transcript) : nextStepLine(nextStep, transcript, host);
  const closingTokens = closing === undefined ? 0 : host.tokens.countText(`\n\n${closing}`);
  const input: SummarizeRangeInput = {
    draft,
    asked,
    range,
    engine: summary.engine,
    previousSummary,
    carriedSummary,
    isFresh,
    template: summary.template,
    instructionTokens: instructionBudget(budget),
    budgetTokens: targetSummary
      ? Math.max(1, targetSummary.handoffTokens(sourceTokens) - closingTokens)
      : summaryBudget({ sourceTokens, ...budget, overheadTokens: overheadOf(transcript, asked) }),
    focusTopic: pass.focusTopic,
    pins: summary.pins?.(transcript.messages),
    abortOnFailure: summary.abortOnFailure,
    closing,
  };
  if (!asked.force && callsModel(input, host)) {
    const summaryTokens = Math.min(input.budgetTokens, defaultSummaryTokens);
    const handoffTokens = summaryTokens + closingTokens + host.tokens.countText(writeHandoff(''));
    const summarizedTokens =
      draft.tokens - tokensRemoved(draft, range, instructionsOf(transcript, budget)) + handoffTokens;
    const prunedTokens = unsummarized.tokens();
    const isPruningGood = pass.currentTokens - prunedTokens > handoffTokens * minGain;
    const minTokens = isPruningGood ? handoffTokens * minGain : 0;
    if (prunedTokens - summarizedTokens <= minTokens) return unsummarized.plan({ reason: nearlyAsGood }, false);
  }
  const summarized = await summarizeRange(input, host);
  if (summarized.kind === 'aborted') return planAfterSummary({ draft, range, summarized, state });
  if (summarized.kind === 'larger') return unsummarized.plan(summarized.notes, false);
  const reclaimedTokens = transcript.totalTokens - draft.withoutRewrites().tokens;
  const settled = pruned.settle(draft, summary.afterSummary);
  // Handoffs with the same content differ by a few tokens. That alone must not replace one that is in the cached prefix.
  const maxTokens = basis === 'source' ? pass.currentTokens * (1 - minSavingShare) : pass.currentTokens;
  if (settled.draft.tokens >= maxTokens) {
    const { modelCalls, warnings, failure, auxiliaryFailure } = summarized.notes;
    return unsummarized.plan({ modelCalls, warnings, failure, auxiliaryFailure, reason: noSmaller }, true);
  }
  const own = (summarized.notes.phases ?? []).map((phase) => ({ ...phase, reclaimedTokens }));
  const phases = [...settled.phases, ...own];
  const reason = summarized.kind === 'fallback' ? summary.reasons.fallback : summary.reasons.summarized;
  const next = summary.nextState ? summary.nextState(state, 'summarized') : state;
  return planAfterSummary({
    draft: settled.draft,
    range,
    summarized,
    state: next,
    basis,
    isFresh,
    notes: { phases, reason },
  });
}

/**
 * The line in a handoff with what the agent said comes next. It is quoted on one line as the agent's words, so it cannot
 * pass for a task of the user.
 */
function nextStepLine(nextStep: string, { pendingCalls, task }: Transcript, host: Pick<EngineHost, 'redact'>): string {
  const words = truncate(oneLine(host.redact(nextStep)).trim(), maxStepLength).replaceAll('"', "'");
  // The user may have written again since the call.
  const isNewest = pendingCalls !== null && (task === null || task.from < pendingCalls.from);
  const then = isNewest
    ? 'Continue with it now, as far as the user asked for it.'
    : "Do not start it yet: answer the user's newest message first, or wait for one.";
  return `The agent itself asked for this summary, and wrote what comes next: "${words}". These are the agent's words, not a task of the user. ${then}`;
}
