import { rankTurns, summaryBudget } from '@palimpsest/summary';
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

/**
 * Weighs the lines of the transcript against each other. A writer that quotes may fill what the target leaves; a model's
 * summary keeps the budget that summaries have.
 */
export function takeAim(
  input: PhaseInput,
  land: Landing,
  limits: { contextLength: number; thresholdTokens: number },
): Aim {
  const { draft, request, options, host } = input;
  const { transcript } = draft;
  const quotes = host.summarizer?.offline ?? host.summarizer === undefined;
  const limit = (sourceTokens: number): number =>
    quotes ? sourceTokens / 2 : summaryBudget({ sourceTokens, ...limits });
  const linesOf = rankTurns(transcript, host, request.focusTopic ?? options.focusTopic);
  let wanted = 0;
  return {
    linesOf,
    startOf(head, first, last) {
      const { roomTokens } = land;
      const starts = [first, last] as const;
      const weights = leastWeights(input);
      const fold = chooseFold({ transcript, head, starts, weights, roomTokens, handoffLimit: limit, linesOf });
      wanted = fold.handoffTokens;
      return fold.start;
    },
    handoffTokens: (sourceTokens) => Math.max(1, Math.floor(Math.min(wanted, limit(sourceTokens)))),
  };
}
