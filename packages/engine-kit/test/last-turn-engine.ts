import type { EngineHost } from '@palimpsest/core';
import { Draft, type EnginePlanner } from '@palimpsest/core/authoring';
import { rehydrate } from '@palimpsest/summary';
import {
  initialSummaryState,
  planAfterSummary,
  planWithoutSummary,
  rangeBeforeTurns,
  type SummaryState,
  summarizeRange,
  summaryBudget,
  windowBudget,
} from '../src/index.ts';

/** A small engine as a third party would write it: keeps the last turn and summarizes everything before it. */
export function lastTurnPlanner(host: EngineHost): EnginePlanner<SummaryState> {
  return {
    initial: initialSummaryState,
    budget: (model) => windowBudget(model, { threshold: 0.8, tail: 0.1 }),
    async plan({ transcript, asked, budget, state }) {
      const draft = new Draft(transcript);
      const { previousSummary, at: handoffAt } = rehydrate(transcript, {
        handoffKey: host.handoffKey,
        handoffDigest: state.handoffDigest,
      });
      const range = rangeBeforeTurns({ draft, asked, host, turns: 1, budget, handoffAt });
      if (!range) return planWithoutSummary(draft, state, { reason: 'Nothing precedes the last turn.' });
      const budgetTokens = summaryBudget({ ...budget, sourceTokens: transcript.tokensOfGroups(...range) });
      const template = 'compaction';
      const summarized = await summarizeRange(
        { draft, asked, range, engine: 'last-turn', previousSummary, template, budgetTokens },
        host,
      );
      return planAfterSummary({ draft, range, summarized, state });
    },
  };
}
