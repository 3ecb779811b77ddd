import type { Plan } from '@palimpsest/core/authoring';
import {
  type FoldState,
  foldIntoHandoff,
  type GroupRange,
  isPruningEnough,
  meetTarget,
  type PrunedDraft,
  planAfterFold,
  summaryBudget,
} from '@palimpsest/engine-kit';
import type { Pass } from './pass.ts';
import { pinnedMessages } from './pins.ts';
import { planPruneOnly } from './prune-only.ts';
import { noteSystemPrompt } from './system-note.ts';

const noSmaller =
  'The handoff would have been larger than the pruned messages that it replaces, so nothing was folded.';

/**
 * Folds the middle into a handoff and, with a target, cuts the rest of the transcript to it. Only prunes if that is at
 * least as good.
 */
export async function foldMiddle(pass: Pass, pruned: PrunedDraft, range: GroupRange): Promise<Plan<FoldState>> {
  const { transcript, basis, request, options, host, budget, previousSummary, carriedSummary, isFresh, state } = pass;
  const { draft, targetFold } = pruned;
  const sourceTokens = transcript.tokensOfGroups(...range);
  const folded = await foldIntoHandoff(
    {
      draft,
      request,
      range,
      engine: 'compressor',
      previousSummary,
      carriedSummary,
      isFresh,
      template: options.template,
      budgetTokens: targetFold ? targetFold.handoffTokens(sourceTokens) : summaryBudget({ sourceTokens, ...budget }),
      focusTopic: options.focusTopic,
      pins: pinnedMessages(transcript.messages, options.pins),
      abortOnFailure: options.abortOnSummaryFailure,
    },
    host,
  );
  if (folded.kind === 'aborted') return planAfterFold({ draft, range, folded, state });
  if (folded.kind === 'larger') return planPruneOnly(pass, pruned, folded.notes);
  const isPruningAsGood = pruned.prunedFrom > 0 && isPruningEnough(pass, pruned, folded.reclaimedTokens);
  const targetPhases = isPruningAsGood ? [] : meetTarget(pruned);
  if (isPruningAsGood || draft.tokens >= pass.currentTokens) {
    const { modelCalls, warnings, failure, auxiliaryFailure } = folded.notes;
    return planPruneOnly(pass, pruned, { modelCalls, warnings, failure, auxiliaryFailure, reason: noSmaller });
  }
  if (options.systemNote) noteSystemPrompt(draft);
  const phases = [...pruned.phases, ...(folded.notes.phases ?? []), ...targetPhases];
  const reason =
    folded.kind === 'fallback'
      ? 'No model could write a summary, so a summary by rules replaces the middle of the transcript.'
      : 'The middle of the transcript was folded into a handoff.';
  return planAfterFold({ draft, range, folded, state, basis, isFresh, notes: { phases, reason } });
}
