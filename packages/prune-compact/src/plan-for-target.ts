import { headEnd, type Plan } from '@palimpsest/core/authoring';
import {
  foldMiddle,
  type GroupRange,
  isWorthModelCall,
  onProjection,
  type PrunedDraft,
  planPruneOnly,
  prunedDraft,
  summaryTemplates,
  tokensOverTarget,
} from '@palimpsest/engine-kit';
import type { Pass, PruneCompactState } from './pass.ts';
import { policyDraft } from './policy-draft.ts';

/**
 * Plans to meet the asked target. Prunes no more than needed, and folds if that keeps more valuable lines. Calls
 * a model only if pruning by the policy is not enough.
 */
export async function planForTarget(pass: Pass): Promise<Plan<PruneCompactState>> {
  const { asked, host, options, isFresh } = pass;
  const pruned = prunedDraft(pass);
  const { range } = pruned;
  if (range === null) return planPruneOnly(pass, pruned, { reason: reasonNotToFold(pruned) });
  if (host.summarizer !== undefined && !host.summarizer.offline) {
    // Messages that a model has summarized stay folded if pruning the rest is enough.
    const keepsFold = pass.basis === 'source' && pass.carriedSummary !== null;
    const near = keepsFold ? { ...onProjection(pass), options } : pass;
    if (tokensOverTarget(policyDraft(near).draft, asked) === 0)
      return planPruneOnly(near, keepsFold ? prunedDraft(near) : pruned, { reason: enough });
  }
  if (isWorthModelCall(policyDraft(pass).draft, range, summaryTemplates[options.template], isFresh))
    return foldMiddle(pass, pruned, range);
  return foldByRules(pass, pruned, range);
}

/** Prunes, and folds a range that is not worth a model call only if that makes the result smaller. */
async function foldByRules(pass: Pass, pruned: PrunedDraft, range: GroupRange): Promise<Plan<PruneCompactState>> {
  const cut = { ...pruned, draft: pruned.settle(pruned.draft).draft };
  if (tokensOverTarget(cut.draft, pass.asked) === 0) return planPruneOnly(pass, cut, { reason: enough });
  return foldMiddle({ ...pass, asked: { ...pass.asked, effort: 'free' } }, cut, range);
}

const enough = 'Pruning was enough.';

function reasonNotToFold({ draft, targetFold }: PrunedDraft): string {
  if (targetFold) return targetFold.tailStart > headEnd(draft.transcript, 0) ? nothingBefore : enough;
  return draft.isEmpty ? 'The transcript is small enough and there is little to prune.' : enough;
}

/** The reason in the report if no group precedes the tail. */
export const nothingBefore = 'Everything since the last compaction lies in the protected tail.';
