import type { Budget, ModelInfo } from '@palimpsest/core';
import { maxSummaryTokens } from './summary-budget.ts';

/** The part of a context window that a prompt may fill. */
export interface UsableWindow {
  readonly usableTokens: number;
  /** One sentence if the reserve was ignored; otherwise empty. */
  readonly warnings: readonly string[];
}

/** How {@link windowBudget} divides a context window. */
export interface WindowShares {
  /** Share of the usable window at which compaction triggers, such as 0.8. */
  readonly threshold: number;
  /** Share of the usable window for the tail, such as 0.1. */
  readonly tail: number;
}

/**
 * Computes the budget for a model from shares of its usable window: the window minus the tokens reserved for the
 * answer.
 */
export function windowBudget({ contextLength, reserveOutputTokens = 0 }: ModelInfo, shares: WindowShares): Budget {
  const { usableTokens, warnings } = usableWindow(contextLength, reserveOutputTokens);
  return {
    contextLength,
    usableTokens,
    thresholdTokens: Math.floor(usableTokens * shares.threshold),
    tailTokens: Math.floor(usableTokens * shares.tail),
    summaryTokens: maxSummaryTokens(contextLength),
    warnings,
  };
}

/**
 * Subtracts the tokens reserved for the answer from a context window. A reserve as large as the window is ignored, with
 * a warning.
 */
export function usableWindow(contextLength: number, reserve: number): UsableWindow {
  if (reserve < contextLength) return { usableTokens: contextLength - reserve, warnings: [] };
  const warning = `The reserve of ${reserve} tokens is as large as the window of ${contextLength}; it is ignored.`;
  return { usableTokens: contextLength, warnings: contextLength > 0 ? [warning] : [] };
}
