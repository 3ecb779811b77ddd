import type { Budget, CompressOptions } from '@palimpsest/core';
import { maxCompactedTokens, type Transcript } from '@palimpsest/core/authoring';
import { targetPlan } from '../target/target-plan.ts';

/**
 * The prompt size in tokens at which pruning is enough, because it leaves room for work before the next pass. If even a
 * summary would not leave that room, the limit: the target or the threshold.
 * @param transcript the messages that the model sees now
 */
export function enoughTokens(transcript: Transcript, asked: CompressOptions, budget: Budget): number {
  const maxTokens = maxCompactedTokens(budget);
  const { overheadTokens = 0, targetTokens } = asked;
  const { fixedTokens } = transcript;
  const afterSummary =
    overheadTokens + fixedTokens + targetPlan(transcript, asked, budget).tailTokens + budget.summaryTokens;
  return afterSummary <= maxTokens ? maxTokens : (targetTokens ?? budget.thresholdTokens);
}
