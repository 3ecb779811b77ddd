import type { RewriteEdit } from '@palimpsest/core';
import type { Draft } from '@palimpsest/core/authoring';
import { KnownProposal } from './known-proposal.ts';
import { type PrunePolicy, type ResolvedPolicy, resolvePolicy } from './policy.ts';
import { count } from './quote.ts';
import type { PruneReport } from './report.ts';
import type { PruneView } from './strategy.ts';
import { longestStub } from './stub.ts';
import { openView } from './view.ts';

/** The edits of all strategies, in the order in which they were taken. */
export interface Steps {
  readonly edits: readonly RewriteEdit[];
  /** By edit, the message it is about: an edit known from before need not be loaded to be put in its place. */
  readonly places: readonly number[];
}

/**
 * Plans a prune on a draft that phases of an engine share: what is replaced already is left alone, and nothing is
 * written unless the minimum is reached and the gate agrees.
 * @throws {PalimpsestError} `OPTION_INVALID`
 */
export function pruneInto(draft: Draft, policy?: PrunePolicy): PruneReport {
  const { steps, report } = planSteps(draft, resolvePolicy(policy));
  if (report.committed) for (const { at, set, reasons } of steps.edits) draft.rewrite(at, set, reasons[0]!);
  return report;
}

/** Runs the strategies on a view of the draft and judges what they found; writes nothing. */
export function planSteps(
  draft: Draft,
  policy: ResolvedPolicy,
): { readonly steps: Steps; readonly report: PruneReport } {
  const view = openView(draft, policy);
  const edits: RewriteEdit[] = [];
  const places: number[] = [];
  const strategies: Record<string, { count: number; reclaimedTokens: number }> = {};
  let reclaimable = 0;
  let first = draft.transcript.length;
  for (const { name, propose } of policy.strategies) {
    strategies[name] ??= { count: 0, reclaimedTokens: 0 };
    const own = strategies[name];
    for (const proposed of propose(view)) {
      const proposal = proposed instanceof KnownProposal ? proposed : new KnownProposal(proposed);
      const reclaimed = view.take(proposal);
      if (reclaimed === 0) continue;
      edits.push(proposal.edit(name));
      places.push(proposal.at);
      own.count++;
      own.reclaimedTokens += reclaimed;
      reclaimable += reclaimed;
      first = Math.min(first, proposal.at);
    }
  }
  const verdict = judge(draft, policy, view, reclaimable, first);
  const committed = verdict.reason === 'pruned';
  const report = {
    strategies,
    reclaimedTokens: committed ? reclaimable : 0,
    reclaimableTokens: reclaimable,
    tokensBefore: draft.tokens,
    committed,
    ...verdict,
  };
  return { steps: { edits, places }, report };
}

function judge(
  draft: Draft,
  policy: ResolvedPolicy,
  view: PruneView,
  reclaimable: number,
  first: number,
): Pick<PruneReport, 'reason' | 'message'> {
  const found = `${count(reclaimable)} tokens could be reclaimed`;
  if (reclaimable === 0 || reclaimable < policy.minimum) {
    const kept = protectedOutput(view);
    if (kept > reclaimable && reclaimable <= policy.minimum / 2)
      return {
        reason: 'protected',
        message: `${count(kept)} tokens of tool output are protected (${protection(policy)}); ${found} outside of that, and the minimum is ${count(policy.minimum)}. Lower \`protect\`, \`keepTurns\` or \`minimum\`, or scale them with \`adaptive: { contextLength }\`.`,
      };
    if (reclaimable === 0) return { reason: 'nothing-to-prune', message: 'No old tool output is left to shrink.' };
    return {
      reason: 'below-minimum',
      message: `${found}, which is less than the minimum of ${count(policy.minimum)}.`,
    };
  }
  const decision = policy.gate?.({
    totalTokens: draft.tokens,
    reclaimedTokens: reclaimable,
    prefixTokens: draft.transcript.tokensBetween(0, first),
  });
  if (decision && !decision.commit) return { reason: 'gate-closed', message: decision.message };
  return { reason: 'pruned', message: `${count(reclaimable)} tokens were reclaimed.` };
}

/** Tokens of the protected results that are long enough to be stubbed. */
function protectedOutput(view: PruneView): number {
  const { transcript, oldEnd, resultLengths } = view;
  let tokens = 0;
  for (let at = oldEnd; at < transcript.length; at++)
    if (resultLengths[at]! > longestStub && view.mayEdit(at)) tokens += view.tokens(at);
  return tokens;
}

function protection({ protect, keepTurns }: ResolvedPolicy): string {
  const newest =
    'tokens' in protect
      ? `\`protect\`: the newest ${count(protect.tokens)} tokens of tool output`
      : `\`protect\`: the newest ${count(protect.transcript)} tokens of the transcript`;
  return keepTurns === 0 ? newest : `${newest}; \`keepTurns\`: the last ${keepTurns} turns`;
}
