import type { EngineHost, PhaseReport } from '@palimpsest/core';
import { Draft, type EnginePlanner, type Plan, type PlanInput, type PlanNotes } from '@palimpsest/core/authoring';
import {
  type GroupRange,
  isWorthModelCall,
  planScope,
  planWithoutFold,
  promptTokensAfter,
  prunePhase,
  rangeBeforeTurns,
  summaryTemplates,
} from '@palimpsest/engine-kit';
import { type PrunePolicy, pruneInto } from '@palimpsest/pruner';
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
    plan: (input) => planPass(startPass(input, options, host)),
    hasContentToCompress({ transcript, budget, state }) {
      const pass = startPass({ transcript, request: {}, state, budget }, options, host);
      const draft = new Draft(transcript);
      return pruneInto(draft, policyOf(pass)).committed || compactRange(pass, draft) !== null;
    },
    status: ({ previousSummary: _, carriedSummary: __, ...rest }) => rest,
  };
}

type Given = Pick<PlanInput<PruneCompactState>, 'transcript' | 'source' | 'request' | 'budget' | 'state'>;

/** Reads the earlier summary from the transcript and chooses what to plan over. */
function startPass(given: Given, options: PruneCompactOptions, host: EngineHost): Pass {
  const { transcript: projection, request, budget, state } = given;
  return { ...planScope(given, host), projection, request, budget, state, options, host };
}

async function planPass(pass: Pass): Promise<Plan<PruneCompactState>> {
  const { transcript, basis, currentTokens, isFresh, request, budget, options, host } = pass;
  const draft = new Draft(transcript);
  const phases = [prunePhase(draft, policyOf(pass), host.clock)];
  const pruneOnly = (reason: string, notes: PlanNotes = {}): Plan<PruneCompactState> =>
    planPruneOnly(pass, draft, phases, { ...notes, reason });
  const limit = Math.min(request.targetTokens ?? Number.POSITIVE_INFINITY, budget.thresholdTokens);
  // Pruning the history brings back what was folded, so it has to be smaller than what the model sees now.
  const isSmaller = basis === 'transcript' || draft.tokens < currentTokens;
  const isSmallEnough = isSmaller && promptTokensAfter(draft, request, currentTokens) <= limit;
  if (isSmallEnough && !(request.force && draft.isEmpty))
    return pruneOnly(
      draft.isEmpty ? 'The transcript is small enough and there is little to prune.' : 'Pruning was enough.',
    );
  const callsModel = host.summarizer !== undefined && !host.summarizer.offline;
  if (request.effort === 'free' && callsModel) {
    // Below the limit, `force` alone folds nothing if the model may not be called.
    const near = prunedProjection(pass);
    const reason = 'Old output was only pruned, because the request allows no model call.';
    if (promptTokensAfter(near.draft, request) <= limit)
      return planPruneOnly(pass, near.draft, near.phases, { reason });
  }
  const range = compactRange(pass, draft);
  if (!range) return pruneOnly('Everything since the last compaction lies in the protected tail.');
  // To meet a target, rules also fold a range that is not worth a model call.
  if (
    request.targetTokens === undefined &&
    !isWorthModelCall(draft, range, summaryTemplates[options.template], isFresh)
  )
    return pruneOnly('The part before the protected tail is too small to be worth a summary.');
  return compact({ ...pass, draft, phases, range, limit }, pruneOnly);
}

/** Plans a pass that folds nothing: the pruned draft, or the pruned projection if a draft of the history is not smaller. */
function planPruneOnly(
  pass: Pass,
  draft: Draft,
  phases: readonly PhaseReport[],
  notes: PlanNotes,
): Plan<PruneCompactState> {
  const { basis, currentTokens, transcript, state } = pass;
  const isOverHistory = basis === 'source' && draft.transcript === transcript;
  if (isOverHistory && draft.tokens >= currentTokens) {
    const near = prunedProjection(pass);
    return planPruneOnly(pass, near.draft, near.phases, notes);
  }
  const next = { ...state, pruned: state.pruned + (draft.isEmpty ? 0 : 1) };
  return planWithoutFold(draft, next, { ...notes, phases }, isOverHistory ? 'source' : 'transcript');
}

/** The messages to compress, pruned. */
function prunedProjection(pass: Pass): { readonly draft: Draft; readonly phases: readonly PhaseReport[] } {
  const draft = new Draft(pass.projection);
  return { draft, phases: [prunePhase(draft, policyOf({ ...pass, transcript: pass.projection }), pass.host.clock)] };
}

function compactRange({ request, host, options, budget, handoffAt, foldedTo }: Pass, draft: Draft): GroupRange | null {
  const { protectTurns: turns } = options;
  return rangeBeforeTurns({ draft, request, host, turns, tailTokens: budget.tailTokens, handoffAt, foldedTo });
}

function policyOf({ transcript, request, options, budget, host }: Pass): PrunePolicy {
  return prunePolicy(transcript.messages, options, budget.contextLength, host, request.keepLastExchanges);
}
