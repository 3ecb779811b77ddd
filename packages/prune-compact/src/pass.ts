import { type CompressOptions, type EngineHost, hasToolCalls, isToolResult } from '@palimpsest/core';
import type { PlanInput, Transcript } from '@palimpsest/core/authoring';
import { type EnginePass, enginePass, type SummaryState } from '@palimpsest/engine-kit';
import type { PruneCompactOptions } from './options.ts';

/** The state of prune-compact, which survives a restart. */
export interface PruneCompactState extends SummaryState {
  /** Number of passes that only pruned. */
  readonly pruned: number;
  /** Number of passes that compacted. */
  readonly compacted: number;
}

/** Everything that the steps of one compaction need. */
export interface Pass extends EnginePass<PruneCompactState> {
  readonly options: PruneCompactOptions;
}

type Given = Pick<PlanInput<PruneCompactState>, 'transcript' | 'source' | 'asked' | 'budget' | 'state'>;

const reasons = {
  summarized: 'Pruning was not enough, so the older turns were compacted.',
  fallback: 'Pruning was not enough, and no model could write a summary, so rules wrote the handoff.',
};

/** Reads the earlier summary from the transcript, chooses the plan's basis, and collects the inputs of a pass. */
export function startPass(given: Given, options: PruneCompactOptions, host: EngineHost): Pass {
  const asked = withTarget(given);
  const pass = enginePass(
    { ...given, asked },
    {
      host,
      // The head is the system prompt.
      protectFirst: 0,
      protectLast: 0,
      protectTools: options.protectTools,
      placeholder: options.placeholder,
      summary: {
        engine: 'prune-compact',
        template: options.template,
        abortOnFailure: options.abortOnSummaryFailure,
        closing: (transcript) => (isTurnPending(transcript) ? continuation : undefined),
        nextState: (state, phase) =>
          phase === 'summarized'
            ? { ...state, compacted: state.compacted + 1 }
            : { ...state, pruned: state.pruned + 1 },
        reasons,
      },
    },
  );
  return { ...pass, options };
}

/**
 * Limits the asked target to the threshold, and corrects its overhead if the caller states the actual prompt size.
 * Returns options without a target unchanged.
 */
function withTarget({ transcript, asked, budget }: Given): CompressOptions {
  const { targetTokens, overheadTokens = 0, currentTokens = 0 } = asked;
  if (targetTokens === undefined) return asked;
  const threshold = budget.thresholdTokens > 0 ? budget.thresholdTokens : Infinity;
  return {
    ...asked,
    targetTokens: Math.min(targetTokens, threshold),
    overheadTokens: Math.max(overheadTokens, currentTokens - transcript.totalTokens),
  };
}

/** Added to a summary in the middle of a turn. Without this line, an agent may wait for an answer that never comes. */
const continuation =
  'This summary was written in the middle of a turn. Continue with the next steps if there are any; otherwise stop and ask what to do.';

/** True if the model's answer is pending: the transcript ends with a tool call, or with a result it has not seen yet. */
function isTurnPending({ messages, task }: Transcript): boolean {
  const last = messages.findLastIndex(({ role }, at) => role !== 'user' || (task !== null && at < task.to));
  if (last < 0 || messages[last]!.role === 'user') return false;
  return isToolResult(messages[last]!) || hasToolCalls(messages[last]!);
}
