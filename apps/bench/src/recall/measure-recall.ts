import type { Message, TokenCounter } from '@palimpsest/core';
import { createRecall } from '@palimpsest/recall';
import { benchHost, engines } from '../engines/open-engine.ts';
import { type Cut, recallOf } from '../fidelity/index.ts';
import { queryPlans, searchAlong } from './searching-agent.ts';

/** Sizes of the compressed past, as shares of its tokens. */
export const recallBudgets = [0.1, 0.2] as const;

/** One simulated agent after one cut at one size. */
export interface RecallPoint {
  readonly plan: string;
  readonly budget: number;
  /** Share of the needed facts in the compressed past, 0 to 1. */
  readonly without: number;
  /** The same with the answers of `recall`. */
  readonly with: number;
  readonly searches: number;
  /** Tokens of all answers. */
  readonly answerTokens: number;
  /** Tokens of the largest answer. */
  readonly largestAnswer: number;
  /** Messages after the cut. */
  readonly messages: number;
}

/** Compresses the past of a cut, and lets each simulated agent go on with it. */
export async function measureRecall(
  cut: Cut,
  future: readonly Message[],
  counter: TokenCounter,
): Promise<readonly RecallPoint[]> {
  const points: RecallPoint[] = [];
  for (const budget of recallBudgets) {
    const targetTokens = Math.floor(cut.tokens * budget);
    if (cut.mustTokens > targetTokens || cut.needs.facts.items.size === 0) continue;
    const result = await engines
      .compressor(benchHost(counter), 200_000)
      .compress(cut.past, { targetTokens, force: true });
    const kept = result.messages as readonly Message[];
    const without = recallOf(cut.needs, kept).facts.recall;
    for (const [plan, queries] of Object.entries(queryPlans)) {
      const recall = createRecall({ sessionId: cut.name, redact: (text) => text });
      recall.update(cut.past, result);
      const { answers, searches } = await searchAlong(recall, queries, cut.needs, kept, future);
      const told = answers.map((content): Message => ({ role: 'tool', tool_call_id: 'recall', content }));
      const sizes = answers.map((answer) => counter.countText(answer));
      points.push({
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
  return points;
}
