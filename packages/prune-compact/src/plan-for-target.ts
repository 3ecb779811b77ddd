import { headEnd, type Plan } from '@palimpsest/core/authoring';
import {
  createPrunedDraft,
  type GroupRange,
  hasModel,
  isWorthModelCall,
  onProjection,
  type PrunedDraft,
  planPruneOnly,
  summarizeMiddle,
  summaryTemplates,
  tokensOverTarget,
} from '@palimpsest/engine-kit';
import type { Pass, PruneCompactState } from './pass.ts';
import { policyDraft } from './policy-draft.ts';

/**
 * Plans to meet the asked target. Prunes no more than needed, and summarizes if that keeps more valuable lines. Calls
 * a model only if pruning by the policy is not enough.
 */
export async function planForTarget(pass: Pass): Promise<Plan<PruneCompactState>> {
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
export const nothingBefore = 'Everything since the last compaction lies in the protected tail.';
