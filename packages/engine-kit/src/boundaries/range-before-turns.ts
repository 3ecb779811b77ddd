import type { Budget, CompressOptions, EngineHost } from '@palimpsest/core';
import { type Draft, headEnd } from '@palimpsest/core/authoring';
import { instructionsOf } from '../budget/instruction-budget.ts';
import { softCeiling, targetPlan } from '../target/target-plan.ts';
import { findSummarizedRange, type GroupRange } from './find-summarized-range.ts';
import { newestTurnsStart, startOfKeptTurns } from './newest-turns.ts';
import { latestTailStart, tailTokensByGroup } from './tail-start.ts';

/** Input of {@link rangeBeforeTurns}. */
export interface BeforeTurnsInput {
  readonly draft: Draft;
  readonly asked: CompressOptions;
  readonly host: Pick<EngineHost, 'dialect' | 'isFromPerson'>;
  /** Maximum number of turns in the tail. */
  readonly turns: number;
  /** Limits the tokens of the tail. */
  readonly budget: Budget;
  /** Index of the newest message with a handoff; -1 for none. */
  readonly handoffAt: number;
  /** Index of the first message after everything that earlier compactions summarized. @default 0 */
  readonly summarizedTo?: number | undefined;
}

/**
 * Returns the groups to summarize: from the end of the system prompt to a tail of the newest turns. If these turns
 * exceed the token budget, the tail is shorter. `null` when nothing new precedes the tail.
 */
export function rangeBeforeTurns(input: BeforeTurnsInput): GroupRange | null {
  const { draft, asked, host, turns, budget, handoffAt, summarizedTo } = input;
  const { transcript } = draft;
  const { keepLastTurns = 0, targetTokens } = asked;
  const tailTokens = Math.min(budget.tailTokens, targetPlan(transcript, asked, budget).tailTokens);
  // A target plan has already subtracted the tokens of messages that must stay, so they count 0 here.
  const sums = tailTokensByGroup(
    draft,
    targetTokens === undefined ? undefined : (at) => (mustStay(draft, at, budget) ? 0 : draft.currentTokens(at)),
  );
  const earliest = newestTurnsStart(transcript, host.isFromPerson, Math.max(turns, keepLastTurns));
  const kept = startOfKeptTurns(transcript, asked, host.isFromPerson);
  let start = latestTailStart(transcript);
  while (start > earliest && (start > kept || sums[start - 1]! <= tailTokens)) start--;
  const ceiling = targetTokens === undefined ? tailTokens * softCeiling : tailTokens;
  const exact = start <= kept && kept < Infinity;
  return findSummarizedRange(
    {
      draft,
      head: headEnd(transcript, 0),
      handoffAt,
      summarizedTo,
      dialect: host.dialect,
      wanted: start,
      ceilingTokens: exact ? Math.max(ceiling, sums[start]! * softCeiling) : ceiling,
      exact,
      // To meet a target, an earlier summary is rewritten even if nothing was added since.
      shrink: targetTokens !== undefined,
      force: asked.force ?? false,
      // Turns that the caller asked to keep stay, even if nothing is left to summarize.
      latest: kept,
    },
    sums,
  );
}

/** True for the system prompt, the host's later instructions and the current task. */
function mustStay({ transcript }: Draft, at: number, budget: Budget): boolean {
  const { leading, task } = transcript;
  if (at < leading || instructionsOf(transcript, budget).kept.has(at)) return true;
  return task !== null && at >= task.from && at < task.to;
}
