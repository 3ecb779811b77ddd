import type { Message, TokenCounter } from '@palimpsest/core';
import type { Compact } from '../compactors/compactor.ts';
import { type FutureRecall, recallOf } from '../future/future-recall.ts';
import type { Cut } from '../transcripts/cuts.ts';
import { essentialsOf, type Intact, intactOf } from '../validity/essentials.ts';
import { withinBudget } from './within-budget.ts';

/** Budgets, as shares of the tokens of the past. */
export const budgets: readonly number[] = [0.1, 0.2, 0.35, 0.5];

/** The result of one method on one cut at one budget. */
export interface Point {
  readonly way: string;
  readonly cut: Cut;
  readonly budget: number;
  /** Tokens of the output, before anything over the budget was removed. */
  readonly tokens: number;
  readonly kept: readonly Message[];
  readonly recall: FutureRecall;
  readonly intact: Intact;
}

/**
 * Measures every method on a cut at every budget. Skips budgets too small for the current request and the pending tool
 * exchange. An output over its budget loses its oldest messages, for every method alike.
 */
export async function measureCut(
  cut: Cut,
  ways: Readonly<Record<string, Compact>>,
  counter: TokenCounter,
): Promise<Point[]> {
  const points: Point[] = [];
  const essentials = essentialsOf(cut.past, counter);
  for (const budget of budgets) {
    const budgetTokens = Math.floor(cut.tokens * budget);
    if (cut.mustTokens > budgetTokens) continue;
    for (const [way, keep] of Object.entries(ways)) {
      const kept = await keep(cut.past, budgetTokens, counter);
      const { tokens, fair } = withinBudget(kept, budgetTokens, counter);
      points.push({
        way,
        cut,
        budget,
        tokens,
        kept,
        recall: recallOf(cut.needs, fair),
        intact: intactOf(essentials, kept, fair),
      });
    }
  }
  return points;
}
