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
  const { basis, currentTokens, carriedSummary, isFresh, request, options, host } = pass;
  const pruned = prunedDraft(pass);
  const pruneOnly = (reason: string, notes: PlanNotes = {}): Plan<PruneCompactState> =>
    planPruneOnly(pass, pruned, { ...notes, reason });
  const limit = limitOf(pass);
  // What a model has summarized stays folded if pruning the rest is enough.
  const keepsFold = basis === 'source' && carriedSummary !== null;
  const { draft } = keepsFold ? prunedProjection(pass) : pruned;
  const isSmaller = basis === 'transcript' || draft.tokens < currentTokens;
  const isSmallEnough = isSmaller && promptTokensAfter(draft, request, currentTokens) <= limit;
  if (isSmallEnough && !(request.force && draft.isEmpty))
    return pruneOnly(
      draft.isEmpty ? 'The transcript is small enough and there is little to prune.' : 'Pruning was enough.',
    );
  // Below the limit, `force` alone folds nothing if the model may not be called.
  const callsModel = host.summarizer !== undefined && !host.summarizer.offline;
  if (request.effort === 'free' && callsModel && promptTokensAfter(draft, request, currentTokens) <= limit)
    return pruneOnly('Old output was only pruned, because the request allows no model call.');

  const range = compactRange(pass, pruned.draft);
  if (!range) return pruneOnly('Everything since the last compaction lies in the protected tail.');
  // To meet a target, rules also fold a range that is not worth a model call.
  const template = summaryTemplates[options.template];
  if (request.targetTokens === undefined && !isWorthModelCall(pruned.draft, range, template, isFresh))
    return pruneOnly('The part before the protected tail is too small to be worth a summary.');
  return compact({ ...pass, ...pruned, range, limit }, pruneOnly);
}

interface Pruned {
  readonly draft: Draft;
  readonly phases: readonly PhaseReport[];
}

/** What the pass is planned over, pruned. */
function prunedDraft(pass: Pass): Pruned {
  const draft = new Draft(pass.transcript);
  return { draft, phases: [prunePhase(draft, policyOf(pass), pass.host.clock)] };
}

/** The messages to compress, pruned. */
function prunedProjection(pass: Pass): Pruned {
  return prunedDraft({ ...pass, transcript: pass.projection });
}

/** Tokens that the prompt has to stay below. */
function limitOf({ request, budget }: Pass): number {
  return Math.min(request.targetTokens ?? Number.POSITIVE_INFINITY, budget.thresholdTokens);
}

/**
 * Plans a pass that folds nothing. Pruning the history brings back what was folded. That must not cost a model's summary,
 * and has to be small enough; otherwise, the messages to compress are pruned.
 */
function planPruneOnly(pass: Pass, pruned: Pruned, notes: PlanNotes): Plan<PruneCompactState> {
  const { basis, currentTokens, previousSummary, carriedSummary, request, state } = pass;
  const tokens = promptTokensAfter(pruned.draft, request, currentTokens);
  const hasRoom = previousSummary === null || (carriedSummary === null && tokens <= limitOf(pass));
  const isOverHistory = basis === 'source' && hasRoom && pruned.draft.tokens < currentTokens;
  const { draft, phases } = basis === 'transcript' || isOverHistory ? pruned : prunedProjection(pass);
  const next = { ...state, pruned: state.pruned + (draft.isEmpty ? 0 : 1) };
  return planWithoutFold(draft, next, { ...notes, phases }, isOverHistory ? 'source' : 'transcript');
}

function compactRange({ request, host, options, budget, handoffAt, foldedTo }: Pass, draft: Draft): GroupRange | null {
  const { protectTurns: turns } = options;
  return rangeBeforeTurns({ draft, request, host, turns, tailTokens: budget.tailTokens, handoffAt, foldedTo });
}

function policyOf({ transcript, request, options, budget, host }: Pass): PrunePolicy {
  return prunePolicy(transcript.messages, options, budget.contextLength, host, request.keepLastExchanges);
}
