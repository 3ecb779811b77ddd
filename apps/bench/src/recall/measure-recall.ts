import type { Message, TokenCounter } from '@palimpsest/core';
import { type Cut, queryPlans, recallOf, searchAlong, withinBudget } from '@palimpsest/eval/measures';
import type { Retrieval } from './retrieval.ts';

/** Sizes of the compressed past, as shares of its tokens. */
export const recallBudgets = [0.1, 0.2] as const;

/** One simulated agent after one cut at one size. */
export interface RecallPoint {
  readonly way: string;
  readonly plan: string;
  readonly budget: number;
  /** Share of the needed facts in the compressed past, 0 to 1. */
  readonly without: number;
  /** The same with the answers of the tools. */
  readonly with: number;
  readonly searches: number;
  /** Tokens of all answers. */
  readonly answerTokens: number;
  /** Tokens of the largest answer of one call. */
  readonly largestAnswer: number;
  /** Messages after the cut. */
  readonly messages: number;
}

/** Hides a part of the past of a cut in each way, and lets each simulated agent go on with the rest. */
export async function measureRecall(
  cut: Cut,
  future: readonly Message[],
  ways: Readonly<Record<string, Retrieval>>,
  counter: TokenCounter,
): Promise<readonly RecallPoint[]> {
  const points: RecallPoint[] = [];
  for (const budget of recallBudgets) {
    const targetTokens = Math.floor(cut.tokens * budget);
    if (cut.mustTokens > targetTokens || cut.needs.facts.items.size === 0) continue;
    for (const [way, retrieval] of Object.entries(ways)) {
      const { kept: output, search } = await retrieval(cut, targetTokens, counter);
      const { fair: kept } = withinBudget(output, targetTokens, counter);
      const without = recallOf(cut.needs, kept).facts.recall;
      for (const [plan, queries] of Object.entries(queryPlans)) {
        const { answers, searches } = await searchAlong(search, queries, cut.needs, kept, future);
        const told = answers.map((content): Message => ({ role: 'tool', tool_call_id: 'recall', content }));
        const sizes = answers.map((answer) => counter.countText(answer));
        points.push({
          way,
          plan,
          budget,
          without,
          with: recallOf(cut.needs, [...kept, ...told]).facts.recall,
          searches,
          answerTokens: sizes.reduce((sum, size) => sum + size, 0),
          largestAnswer: Math.max(0, ...sizes),
          messages: future.length,
        });
      }
    }
  }
  return points;
}
