import type { EngineHost } from '@palimpsest/core';
import { Draft, type EnginePlanner, type Plan, type PlanNotes } from '@palimpsest/core/authoring';
import {
  type GroupRange,
  isWorthModelCall,
  planWithoutFold,
  promptTokensAfter,
  prunePhase,
  rangeBeforeTurns,
  summaryTemplates,
} from '@palimpsest/engine-kit';
import { type PrunePolicy, pruneInto } from '@palimpsest/pruner';
import { rehydrate } from '@palimpsest/summary';
import { pruneCompactBudget } from './budget.ts';
import { compact } from './compact.ts';
import type { PruneCompactOptions } from './options.ts';
import type { Pass, PruneCompactState } from './pass.ts';
import { prunePolicy } from './prune-policy.ts';

/** Prunes first, and compacts only what is still too large. */
export function pruneCompactPlanner(options: PruneCompactOptions, host: EngineHost): EnginePlanner<PruneCompactState> {
  return {
    initial: { pruned: 0, compacted: 0, droppedWithoutSummary: 0, fallbackUsed: false },
    budget: (model) => pruneCompactBudget(options, model),
    plan: ({ transcript, request, budget, state }) => planPass({ transcript, request, state, budget, options, host }),
    hasContentToCompress({ transcript, budget, state }) {
      const pass: Pass = { transcript, request: {}, state, budget, options, host };
      const draft = new Draft(transcript);
      return pruneInto(draft, policyOf(pass)).committed || compactRange(pass, draft, rehydrate(transcript).at) !== null;
    },
    status: ({ previousSummary: _, ...rest }) => rest,
  };
}

async function planPass(pass: Pass): Promise<Plan<PruneCompactState>> {
  const { transcript, request, state, budget, options, host } = pass;
  const draft = new Draft(transcript);
  const phases = [prunePhase(draft, policyOf(pass), host.clock)];
  const pruneOnly = (reason: string, notes: PlanNotes = {}): Plan<PruneCompactState> =>
    planWithoutFold(draft, { ...state, pruned: state.pruned + (draft.isEmpty ? 0 : 1) }, { ...notes, phases, reason });
  const limit = Math.min(request.targetTokens ?? Number.POSITIVE_INFINITY, budget.thresholdTokens);
  const isSmallEnough = promptTokensAfter(draft, request) <= limit;
  if (isSmallEnough && !(request.force && draft.isEmpty))
    return pruneOnly(
      draft.isEmpty ? 'The transcript is small enough and there is little to prune.' : 'Pruning was enough.',
    );
  // Below the limit, `force` alone folds nothing if the model may not be called.
  const callsModel = host.summarizer !== undefined && !host.summarizer.offline;
  if (request.effort === 'free' && callsModel && isSmallEnough)
    return pruneOnly('Old output was only pruned, because the request allows no model call.');

  const { previousSummary, at: handoffAt } = rehydrate(transcript, {
    handoffKey: host.handoffKey,
    remembered: state.previousSummary,
  });
  const range = compactRange(pass, draft, handoffAt);
  if (!range) return pruneOnly('Everything since the last compaction lies in the protected tail.');
  // To meet a target, rules also fold a range that is not worth a model call.
  if (request.targetTokens === undefined && !isWorthModelCall(draft, range, summaryTemplates[options.template]))
    return pruneOnly('The part before the protected tail is too small to be worth a summary.');
  return compact({ ...pass, draft, phases, range, limit, previousSummary }, pruneOnly);
}

function compactRange({ request, host, options, budget }: Pass, draft: Draft, handoffAt: number): GroupRange | null {
  const { protectTurns: turns } = options;
  return rangeBeforeTurns({ draft, request, host, turns, tailTokens: budget.tailTokens, handoffAt });
}

function policyOf({ transcript, request, options, budget, host }: Pass): PrunePolicy {
  return prunePolicy(transcript.messages, options, budget.contextLength, host, request.keepLastExchanges);
}
