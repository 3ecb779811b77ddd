import { rankTurns } from '@palimpsest/salience';
import { ruleTokens, summaryBudget } from '@palimpsest/summary';
import { chooseFold } from './choose-fold.ts';
import type { Landing } from './landing.ts';
import { leastWeights, type PhaseInput } from './prune-phase.ts';
import type { LinesOf } from './stretch.ts';

/** How a target that is missed is to be met. */
export interface Aim {
  readonly linesOf: LinesOf;
  /** The group the tail should start at; `head` to fold nothing. */
  readonly startOf: (head: number, first: number, last: number) => number;
  /** What the handoff may hold that replaces so many tokens. */
  readonly handoffTokens: (sourceTokens: number) => number;
}

/** Of what a target leaves, the share in which the record of earlier passes is carried on, whatever else would fill it. */
const recordShare = 0.25;

/**
 * Weighs the lines of the transcript against each other. A writer that quotes may fill what the target leaves; a model's
 * summary keeps the budget that summaries have.
 * @param previousSummary the record of earlier passes, whose lines are no lines of the transcript
 */
export function takeAim(
  input: PhaseInput,
  land: Landing,
  limits: { contextLength: number; thresholdTokens: number },
  previousSummary: string | null,
): Aim {
  const { draft, request, options, host } = input;
  const { transcript } = draft;
  const quotes = (host.summarizer?.offline ?? host.summarizer === undefined) || request.effort === 'free';
  const limit = (sourceTokens: number): number =>
    quotes ? sourceTokens / 2 : summaryBudget({ sourceTokens, ...limits });
  const linesOf = rankTurns(transcript, host, request.focusTopic ?? options.focusTopic);
  const recordTokens = previousSummary === null ? 0 : host.tokens.countText(previousSummary);
  const least = Math.min(land.roomTokens * recordShare, recordTokens);
  let wanted = 0;
  return {
    linesOf,
    startOf(head, first, last) {
      const { roomTokens } = land;
      const starts = [first, last] as const;
      const weights = leastWeights(input);
      const rules = ruleTokens(transcript, host);
      const { dialect } = host;
      const measures = { transcript, weights, rules, linesOf };
      const fold = chooseFold({ ...measures, dialect, head, starts, roomTokens, handoffLimit: limit });
      wanted = fold.handoffTokens;
      return fold.start;
    },
    handoffTokens: (sourceTokens) => Math.max(1, Math.floor(Math.min(Math.max(wanted, least), limit(sourceTokens)))),
  };
}
