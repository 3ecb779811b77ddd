import type { Budget } from '@palimpsest/core';
import { pageLimit, recordTokens } from '@palimpsest/summary';
import type { TailStartRange } from '../boundaries/middle-range.ts';
import { instructionsOf } from '../budget/instruction-budget.ts';
import { overheadOf, summaryBudget } from '../budget/summary-budget.ts';
import { minTokensByMessage, type PruneInput } from '../prune/prune-steps.ts';
import { writesByRules } from '../source/writes-by-rules.ts';
import { chooseTailStart } from './choose-tail-start.ts';
import type { LinesOf } from './range-stats.ts';
import type { TargetPlan } from './target-plan.ts';

/** How to meet a target that pruning alone does not meet. */
export interface TargetSummary {
  /** The group at which the tail should start; the end of the head to summarize nothing. */
  readonly tailStart: number;
  /** Returns the maximum tokens, at least 1, of a handoff that replaces `sourceTokens` tokens. */
  readonly handoffTokens: (sourceTokens: number) => number;
}

/** Input of {@link planTargetSummary}. */
export interface TargetSummaryInput {
  readonly prune: PruneInput;
  readonly plan: TargetPlan;
  /** Where the tail may start. */
  readonly bounds: TailStartRange;
  readonly budget: Budget;
  /** The summary of earlier passes; `null` for none. Its lines do not count as lines of the transcript. */
  readonly previousSummary: string | null;
  readonly linesOf: LinesOf;
}

/** The share of the room that is reserved for the summary of earlier passes. */
const previousSummaryShare = 0.25;

/**
 * Decides how much to summarize to meet a target, by ranking the lines of the transcript. A handoff written by rules may
 * fill the room that the target leaves. A handoff with a model's page keeps its usual limit.
 */
export function planTargetSummary(input: TargetSummaryInput): TargetSummary {
  const { plan, bounds, budget, previousSummary, linesOf } = input;
  const { draft, asked, host } = input.prune;
  const { transcript } = draft;
  const { contextLength, thresholdTokens } = budget;
  const overheadTokens = overheadOf(transcript, asked);
  const quotes = writesByRules(host, asked);
  const handoffLimit = (sourceTokens: number): number =>
    quotes
      ? sourceTokens / 2
      : Math.min(
          pageLimit(sourceTokens),
          summaryBudget({ sourceTokens, contextLength, thresholdTokens, overheadTokens }),
        );
  const previousTokens = previousSummary === null ? 0 : host.tokens.countText(previousSummary);
  const minHandoffTokens = Math.min(plan.roomTokens * previousSummaryShare, previousTokens);
  const choice = chooseTailStart({
    transcript,
    instructions: instructionsOf(transcript, budget).kept,
    minTokens: minTokensByMessage(input.prune),
    recordTokens: recordTokens(transcript, host, plan.roomTokens),
    linesOf,
    dialect: host.dialect,
    bounds,
    roomTokens: plan.roomTokens,
    handoffLimit,
  });
  return {
    tailStart: choice.start,
    handoffTokens: (sourceTokens) =>
      Math.max(1, Math.floor(Math.min(Math.max(choice.handoffTokens, minHandoffTokens), handoffLimit(sourceTokens)))),
  };
}
