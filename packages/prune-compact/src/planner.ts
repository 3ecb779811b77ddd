import type { EngineHost } from '@palimpsest/core';
import { Draft, type EnginePlanner, type Plan } from '@palimpsest/core/authoring';
import {
  behindPage,
  enoughTokens,
  type GroupRange,
  hasModel,
  initialSummaryState,
  isWorthModelCall,
  type PrunedDraft,
  planWithoutSummary,
  promptTokensAfter,
  rangeBeforeTurns,
  summarizeMiddle,
  summaryTemplates,
  type UnsummarizedNotes,
} from '@palimpsest/engine-kit';
import { pruneInto } from '@palimpsest/pruner';
import { pruneCompactBudget } from './budget.ts';
import type { PruneCompactOptions } from './options.ts';
import { type Pass, type PruneCompactState, startPass } from './pass.ts';
import { nothingBefore, planForTarget } from './plan-for-target.ts';
import { policyDraft, policyOf } from './policy-draft.ts';

/** Creates the planner: it prunes first, and compacts only if the result is still too large. */
export function pruneCompactPlanner(options: PruneCompactOptions, host: EngineHost): EnginePlanner<PruneCompactState> {
  return {
    initial: { ...initialSummaryState, pruned: 0, compacted: 0 },
    budget: (model) => pruneCompactBudget(options, model),
    plan: (input) => planPass(startPass(input, options, host)),
    hasContentToCompress({ transcript, budget, state }) {
      const pass = startPass({ transcript, asked: {}, state, budget }, options, host);
      const draft = new Draft(transcript);
      return pruneInto(draft, policyOf(pass)).committed || compactRange(behindPage(pass), draft) !== null;
    },
    status: ({ handoffDigest: _, carriedSummary: __, ...rest }) => rest,
  };
}

function planPass(pass: Pass): Promise<Plan<PruneCompactState>> {
  const { projection, currentTokens, asked } = pass;
  if (asked.targetTokens === undefined) return planWithoutTarget(pass);
  // If the target is already met, it does not say how much `force` should compact.
  const isMet = promptTokensAfter(new Draft(projection), asked, currentTokens) <= limitOf(pass);
  return asked.force && isMet ? planWithoutTarget(pass) : planForTarget(pass);
}

async function planWithoutTarget(pass: Pass): Promise<Plan<PruneCompactState>> {
  const { basis, budget, currentTokens, carriedSummary, isFresh, asked, options, host } = pass;
  const pruned = policyDraft(pass);
  const pruneOnly = (notes: UnsummarizedNotes): Plan<PruneCompactState> => planPruned(pass, pruned, notes);
  const enough = enoughTokens(pass.projection, asked, budget);
  // Messages that a model has summarized stay summarized if pruning the rest is enough.
  const keepsSummary = basis === 'source' && carriedSummary !== null;
  const { draft } = keepsSummary ? pruneProjection(pass) : pruned;
  const isSmaller = basis === 'transcript' || draft.tokens < currentTokens;
  const isSmallEnough = isSmaller && promptTokensAfter(draft, asked, currentTokens) <= enough;
  if (isSmallEnough && !(asked.force && draft.isEmpty))
    return pruneOnly({
      reason: draft.isEmpty ? 'The transcript is small enough and there is little to prune.' : 'Pruning was enough.',
    });
  // `force` without a model call does not summarize what is small enough. Otherwise rules summarize it: a row of passes
  // that only prune frees less each time.
  if (asked.effort === 'free' && hasModel(host) && promptTokensAfter(draft, asked, currentTokens) <= enough)
    return pruneOnly({ reason: 'Old output was only pruned, because the caller allows no model call.' });

  const range = compactRange(behindPage(pass), pruned.draft);
  if (!range) return pruneOnly({ reason: nothingBefore });
  if (!isWorthModelCall(pruned.draft, range, summaryTemplates[options.template], isFresh))
    return pruneOnly({ reason: 'The part before the protected tail is too small to be worth a summary.' });
  return summarizeMiddle(pass, pruned, range, {
    tokens: () => draft.tokens,
    plan: (notes, isSpent) => planPruned(pass, isSpent ? policyDraft(pass) : pruned, notes),
  });
}

/** The messages to compact, pruned. */
function pruneProjection(pass: Pass): PrunedDraft {
  return policyDraft({ ...pass, transcript: pass.projection });
}

/** The prompt size to get below, in tokens. */
function limitOf({ asked, budget }: Pass): number {
  return asked.targetTokens ?? budget.thresholdTokens;
}

/**
 * Plans a pass that summarizes nothing. Pruning the history restores messages that were summarized. If that would lose a
 * model's summary or be too large, prunes the messages to compact instead.
 */
function planPruned(pass: Pass, pruned: PrunedDraft, notes: UnsummarizedNotes): Plan<PruneCompactState> {
  const { basis, currentTokens, previousSummary, carriedSummary, asked, state } = pass;
  const tokens = promptTokensAfter(pruned.draft, asked, currentTokens);
  const hasRoom = previousSummary === null || (carriedSummary === null && tokens <= limitOf(pass));
  const isOverHistory = basis === 'source' && hasRoom && pruned.draft.tokens < currentTokens;
  const whole = basis === 'transcript' || isOverHistory ? pruned : pruneProjection(pass);
  const { draft, phases } = whole.settle(whole.draft);
  const next = { ...state, pruned: state.pruned + (draft.isEmpty ? 0 : 1) };
  return planWithoutSummary(draft, next, { ...notes, phases }, isOverHistory ? 'source' : 'transcript');
}

function compactRange(
  { asked, host, options, budget, handoffAt, summarizedTo }: Pass,
  draft: Draft,
): GroupRange | null {
  const { protectTurns: turns } = options;
  return rangeBeforeTurns({ draft, asked, host, turns, budget, handoffAt, summarizedTo });
}
