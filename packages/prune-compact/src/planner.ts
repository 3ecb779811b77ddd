import type { EngineHost } from '@palimpsest/core';
import { Draft, type EnginePlanner, headEnd, type Plan } from '@palimpsest/core/authoring';
import {
  behindPage,
  createPrunedDraft,
  enoughTokens,
  type GroupRange,
  hasModel,
  initialSummaryState,
  isWorthModelCall,
  onProjection,
  type PrunedDraft,
  planPruneOnly,
  planWithoutSummary,
  promptTokensAfter,
  rangeBeforeTurns,
  summarizeMiddle,
  summaryTemplates,
  tokensOverTarget,
  type UnsummarizedNotes,
} from '@palimpsest/engine-kit';
import { pruneCompactBudget } from './budget.ts';
import type { PruneCompactOptions } from './options.ts';
import { type Pass, type PruneCompactState, startPass } from './pass.ts';
import { policyDraft } from './policy-draft.ts';

/** Creates the planner: it prunes first, and compacts only if the result is still too large. */
export function pruneCompactPlanner(options: PruneCompactOptions, host: EngineHost): EnginePlanner<PruneCompactState> {
  return {
    initial: { ...initialSummaryState, pruned: 0, compacted: 0 },
    budget: (model) => pruneCompactBudget(options, model),
    plan: (input) => planPass(startPass(input, options, host)),
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

/**
 * Plans to meet the asked target. Prunes no more than needed, and summarizes if that keeps more valuable lines. Calls
 * a model only if pruning by the policy is not enough.
 */
async function planForTarget(pass: Pass): Promise<Plan<PruneCompactState>> {
  const { asked, host, options, isFresh } = pass;
  const pruned = createPrunedDraft(pass);
  const { range } = pruned;
  if (range === null) return planPruneOnly(pass, pruned, { reason: reasonNotToSummarize(pruned) });
  if (hasModel(host)) {
    // Messages that a model has summarized stay summarized if pruning the rest is enough.
    const keepsSummary = pass.basis === 'source' && pass.carriedSummary !== null;
    const near = keepsSummary ? { ...onProjection(pass), options } : pass;
    if (tokensOverTarget(policyDraft(near).draft, asked) === 0)
      return planPruneOnly(near, keepsSummary ? createPrunedDraft(near) : pruned, { reason: enough });
  }
  if (isWorthModelCall(policyDraft(pass).draft, range, summaryTemplates[options.template], isFresh))
    return summarizeMiddle(pass, pruned, range);
  return summarizeByRules(pass, pruned, range);
}

/** Prunes, and summarizes a range that is not worth a model call only if that makes the result smaller. */
async function summarizeByRules(pass: Pass, pruned: PrunedDraft, range: GroupRange): Promise<Plan<PruneCompactState>> {
  const cut = { ...pruned, draft: pruned.settle(pruned.draft).draft };
  if (tokensOverTarget(cut.draft, pass.asked) === 0) return planPruneOnly(pass, cut, { reason: enough });
  return summarizeMiddle({ ...pass, asked: { ...pass.asked, effort: 'free' } }, cut, range);
}

const enough = 'Pruning was enough.';

function reasonNotToSummarize({ draft, targetSummary }: PrunedDraft): string {
  if (targetSummary) return targetSummary.tailStart > headEnd(draft.transcript, 0) ? nothingBefore : enough;
  return draft.isEmpty ? 'The transcript is small enough and there is little to prune.' : enough;
}

/** The reason in the report if no group precedes the tail. */
const nothingBefore = 'Everything since the last compaction lies in the protected tail.';
