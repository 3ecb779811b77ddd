import type { Budget, CompressOptions, EngineHost, PhaseReport } from '@palimpsest/core';
import { Draft, type Transcript } from '@palimpsest/core/authoring';
import { rankTranscriptLines } from '@palimpsest/pruner/salience';
import type { GroupRange } from '../boundaries/find-summarized-range.ts';
import { type MiddleInput, middleRange, tailStartRange } from '../boundaries/middle-range.ts';
import { writesByRules } from '../source/writes-by-rules.ts';
import { tokensOverTarget } from '../target/draft-size.ts';
import type { LinesOf } from '../target/range-stats.ts';
import { type TargetPlan, targetPlan } from '../target/target-plan.ts';
import { planTargetSummary, type TargetSummary } from '../target/target-summary.ts';
import { stillPruned } from './prune-phase.ts';
import { type PruneInput, pruneBeforeTail, pruneSuperseded, pruneToTarget } from './prune-steps.ts';

/** Input for pruning a draft and finding its middle. */
export interface PrunedDraftInput {
  readonly transcript: Transcript;
  readonly asked: CompressOptions;
  readonly host: EngineHost;
  readonly budget: Budget;
  /** The summary of earlier passes; `null` for none. */
  readonly previousSummary: string | null;
  /** The part of `previousSummary` that cannot be rebuilt from the transcript. @default all of it */
  readonly carriedSummary?: string | null | undefined;
  /** Index of the newest message with a handoff; -1 for none. */
  readonly handoffAt: number;
  /** Index of the first message after everything that earlier compactions summarized. @default 0 */
  readonly summarizedTo?: number | undefined;
  /**
   * Number of messages to keep after the system prompt, while the transcript has no handoff. They end after an assistant
   * message that calls no tools, or none is kept.
   */
  readonly protectFirst: number;
  /** Number of messages to keep at the end if they fit; limited to 3 to 8. */
  readonly protectLast: number;
  /** Topic to keep in detail. */
  readonly focusTopic?: string | undefined;
  /** Names or globs of tools whose output is never pruned. @default the pruner's list */
  readonly protectTools?: readonly string[] | undefined;
  /** What replaces a whole output. @default 'stub' */
  readonly placeholder?: PruneInput['placeholder'];
}

/** A draft with pruned tool output, and the range to summarize. */
export interface PrunedDraft {
  /**
   * With a target, everything that is superseded is pruned in it, to find the range; {@link PrunedDraft.settle} prunes
   * only what has to be.
   */
  readonly draft: Draft;
  /**
   * Prunes what stays, now that it is known what a summary left room for, and reports it.
   * @param draft `draft`, or the same after a summary
   * @param edit adds the engine's own edits
   */
  readonly settle: (draft: Draft, edit?: (draft: Draft) => void) => SettledDraft;
  /** How to meet the target; `null` without a target or if pruning met it. */
  readonly targetSummary: TargetSummary | null;
  /** The groups to summarize, between head and tail; `null` for none. */
  readonly range: GroupRange | null;
}

/** A draft with all prunings that its plan will have, and the phase of the report. */
export interface SettledDraft {
  readonly draft: Draft;
  readonly phases: readonly PhaseReport[];
}

/** Prunes old tool output and finds the range to summarize. */
export function createPrunedDraft(input: PrunedDraftInput): PrunedDraft {
  const { transcript, asked, host, budget, focusTopic, protectTools, placeholder } = input;
  const { carriedSummary = input.previousSummary } = input;
  const previousSummary = writesByRules(host, asked) ? carriedSummary : input.previousSummary;
  const draft = new Draft(transcript);
  const prune: PruneInput = { draft, asked, host, protectTools, placeholder };
  const plan = targetPlan(transcript, asked, budget, host.handoffKey);
  const middle = middleInput(input, draft, plan);
  const hasTarget = asked.targetTokens !== undefined;
  const isOver = tokensOverTarget(draft, asked) > 0;
  let ranked: LinesOf | undefined;
  const linesOf: LinesOf = (at) => (ranked ??= rankTranscriptLines(transcript, host, focusTopic))(at);
  const settle = hasTarget ? settleToTarget(prune, linesOf) : settleAs(pruneBeforeTail(prune, plan));
  if (isOver) pruneSuperseded(prune);
  const targetSummary =
    tokensOverTarget(draft, asked) > 0
      ? planTargetSummary({ prune, plan, bounds: tailStartRange(middle), budget, previousSummary, linesOf })
      : null;
  const isMet = hasTarget && targetSummary === null && !asked.force;
  const range = isMet ? null : middleRange({ ...middle, tailStart: targetSummary?.tailStart });
  return { draft, settle, targetSummary, range };
}

/** Leaves a draft as it was pruned. @param phase the report of the pruning */
export function settleAs(phase: PhaseReport): PrunedDraft['settle'] {
  return (draft, edit) => {
    const phases = [stillPruned(phase, draft)];
    edit?.(draft);
    return { draft, phases };
  };
}

function settleToTarget(prune: PruneInput, linesOf: LinesOf): PrunedDraft['settle'] {
  return (pruned, edit) => {
    const draft = pruned.withoutRewrites();
    edit?.(draft);
    return { draft, phases: [pruneToTarget({ ...prune, draft }, linesOf)] };
  };
}

function middleInput(input: PrunedDraftInput, draft: Draft, plan: TargetPlan): MiddleInput {
  const { headTokens, tailTokens, maxTailTokens } = plan;
  const { asked, host, handoffAt, summarizedTo, protectLast } = input;
  // After the first compaction, the head is only the system prompt: an old first task must not become current again.
  const protectFirst = handoffAt >= 0 ? 0 : input.protectFirst;
  return {
    draft,
    asked,
    host,
    handoffAt,
    summarizedTo,
    protectFirst,
    protectLast,
    headTokens,
    tailTokens,
    maxTailTokens,
  };
}
