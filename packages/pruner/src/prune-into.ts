import type { Draft } from '@palimpsest/core';
import { type PrunePolicy, type ResolvedPolicy, resolvePolicy } from './policy.ts';
import { count } from './quote.ts';
import type { PruneReport, StrategyReport } from './report.ts';
import type { Proposal } from './strategy.ts';
import { openView, type WritableView } from './view.ts';

/** A proposal that was taken, and whose it was. */
export interface Step extends Proposal {
  readonly strategy: string;
}

/**
 * Plans a prune on a draft that phases of an engine share: what is replaced already is left alone, and nothing is
 * written unless the minimum is reached and the gate agrees.
 * @throws {PalimpsestError} `OPTION_INVALID`
 */
export function pruneInto(draft: Draft, policy?: PrunePolicy): PruneReport {
  const { steps, report } = planSteps(draft, resolvePolicy(policy));
  if (report.committed)
    for (const { at, set, strategy, note } of steps) draft.rewrite(at, set, { code: strategy, note });
  return report;
}

/** Runs the strategies on a view of the draft and judges what they found; writes nothing. */
export function planSteps(
  draft: Draft,
  policy: ResolvedPolicy,
): { readonly steps: readonly Step[]; readonly report: PruneReport } {
  const view = openView(draft, policy);
  const steps: Step[] = [];
  const strategies: Record<string, StrategyReport> = {};
  for (const { name, propose } of policy.strategies) {
    const before = strategies[name] ?? { count: 0, reclaimedTokens: 0 };
    const own = takeAll(view, name, propose(view), steps);
    strategies[name] = {
      count: before.count + own.count,
      reclaimedTokens: before.reclaimedTokens + own.reclaimedTokens,
    };
  }
  const reclaimable = Object.values(strategies).reduce((sum, own) => sum + own.reclaimedTokens, 0);
  const first = steps.reduce((least, { at }) => Math.min(least, at), draft.transcript.length);
  const verdict = judge(draft, policy, reclaimable, first);
  const committed = verdict.reason === 'pruned';
  const report = {
    strategies,
    reclaimedTokens: committed ? reclaimable : 0,
    reclaimableTokens: reclaimable,
    tokensBefore: draft.tokens,
    committed,
    ...verdict,
  };
  return { steps, report };
}

/** Carries proposals out on the view, and notes those that shrank a message. */
function takeAll(view: WritableView, strategy: string, proposals: Iterable<Proposal>, steps: Step[]): StrategyReport {
  let count = 0;
  let reclaimedTokens = 0;
  for (const proposal of proposals) {
    const reclaimed = view.take(proposal);
    if (reclaimed === 0) continue;
    steps.push({ at: proposal.at, set: proposal.set, note: proposal.note, strategy });
    count++;
    reclaimedTokens += reclaimed;
  }
  return { count, reclaimedTokens };
}

function judge(
  draft: Draft,
  policy: ResolvedPolicy,
  reclaimable: number,
  first: number,
): Pick<PruneReport, 'reason' | 'message'> {
  if (reclaimable === 0) return { reason: 'nothing-to-prune', message: 'No old tool output is left to shrink.' };
  const found = `${count(reclaimable)} tokens could be reclaimed`;
  if (reclaimable < policy.minimum)
    return {
      reason: 'below-minimum',
      message: `${found}, which is less than the minimum of ${count(policy.minimum)}.`,
    };
  const decision = policy.gate?.({
    totalTokens: draft.tokens,
    reclaimedTokens: reclaimable,
    prefixTokens: draft.transcript.tokensBetween(0, first),
  });
  if (decision && !decision.commit) return { reason: 'gate-closed', message: decision.message };
  return { reason: 'pruned', message: `${count(reclaimable)} tokens were reclaimed.` };
}
