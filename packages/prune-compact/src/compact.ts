import { hasToolCalls, isToolResult, type PhaseReport } from '@palimpsest/core';
import type { Draft, Plan, PlanNotes, Transcript } from '@palimpsest/core/authoring';
import { foldIntoHandoff, type GroupRange, planAfterFold, summaryBudget } from '@palimpsest/engine-kit';
import type { Pass, PruneCompactState } from './pass.ts';

/** Input of the second phase. */
export interface CompactInput extends Pass {
  readonly draft: Draft;
  /** The phases that have run. */
  readonly phases: readonly PhaseReport[];
  /** The groups to fold. */
  readonly range: GroupRange;
  /** Tokens that the prompt has to stay below. */
  readonly limit: number;
}

/** Added to a summary written in the middle of a turn. Without it, an agent may wait for an answer that never comes. */
const continuation =
  'This summary was written in the middle of a turn. Continue with the next steps if there are any; otherwise stop and ask what to do.';

const noSmaller = 'The compacted history would have been larger than what it replaces, so nothing was folded.';

/**
 * The second phase: folds a range into a handoff.
 * @param pruneOnly makes the plan if the handoff is not smaller than the range
 */
export async function compact(
  input: CompactInput,
  pruneOnly: (reason: string, notes: PlanNotes) => Plan<PruneCompactState>,
): Promise<Plan<PruneCompactState>> {
  const { transcript, request, state, budget, options, host, draft, range, limit, basis, isFresh } = input;
  const sourceTokens = transcript.tokensOfGroups(...range);
  const folded = await foldIntoHandoff(
    {
      draft,
      request,
      range,
      engine: 'prune-compact',
      previousSummary: input.previousSummary,
      carriedSummary: input.carriedSummary,
      isFresh,
      template: options.template,
      budgetTokens: summaryBudget({ sourceTokens, contextLength: budget.contextLength, thresholdTokens: limit }),
      abortOnFailure: options.abortOnSummaryFailure,
      closing: isTurnPending(transcript) ? continuation : undefined,
    },
    host,
  );
  if (folded.kind === 'aborted') return planAfterFold({ draft, range, folded, state });
  if (folded.kind === 'larger') return pruneOnly(folded.notes.reason, folded.notes);
  if (draft.tokens >= input.currentTokens) {
    const { modelCalls, warnings, failure, auxiliaryFailure } = folded.notes;
    return pruneOnly(noSmaller, { modelCalls, warnings, failure, auxiliaryFailure });
  }
  const phases = [...input.phases, ...(folded.notes.phases ?? [])];
  const reason =
    folded.kind === 'fallback'
      ? 'Pruning was not enough, and no model could write a summary: a summary by rules replaces the older turns.'
      : 'Pruning was not enough, so the older turns were compacted.';
  const next = { ...state, compacted: state.compacted + 1 };
  return planAfterFold({ draft, range, folded, state: next, basis, isFresh, notes: { reason, phases } });
}

/** True if the model's answer is pending: the transcript ends with a tool call, or with a result it has not seen yet. */
function isTurnPending({ messages, request }: Transcript): boolean {
  const last = messages.findLastIndex(({ role }, at) => role !== 'user' || (request !== null && at < request.to));
  if (last < 0 || messages[last]!.role === 'user') return false;
  return isToolResult(messages[last]!) || hasToolCalls(messages[last]!);
}
