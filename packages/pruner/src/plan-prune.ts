import type { RewriteEdit } from '@palimpsest/core';
import type { Draft } from '@palimpsest/core/authoring';
import { formatCount } from './format-count.ts';
import type { PolicySettings } from './policy/policy-settings.ts';
import type { ResolvedPolicy } from './policy/resolve-policy.ts';
import type { PruneReport, StrategyReport } from './report.ts';
import { maxShortLength } from './stub/short-length.ts';
import { openView, type WritableView } from './view/open-view.ts';
import type { PruneView } from './view/strategy.ts';

/** The edits of a prune, and the report, which states whether to commit them. */
export interface PrunePlan {
  /** Edits in the order in which strategies proposed them; a message may have several. */
  readonly edits: readonly RewriteEdit[];
  readonly report: PruneReport;
}

/** An edit that a strategy made on a view, and the tokens that it saved. */
interface MadeEdit {
  readonly strategy: string;
  readonly edit: RewriteEdit;
  readonly reclaimed: number;
}

/** Share of a target that stays free when messages are left as they were: tokens of parts do not add up exactly. */
const countingError = 0.01;

/** Runs the strategies on a draft and decides whether to commit the result. The draft is not changed. */
export function planPrune(draft: Draft, policy: ResolvedPolicy): PrunePlan {
  const view = openView(draft, policy);
  const made = selectEdits(runStrategies(view, policy), view, policy);
  const edits = made.map(({ edit }) => edit);
  const strategies = new Map<string, StrategyReport>(
    policy.strategies.map(({ name }) => [name, { count: 0, reclaimedTokens: 0 }]),
  );
  let reclaimable = 0;
  let first = draft.transcript.length;
  for (const { strategy, edit, reclaimed } of made) {
    const { count, reclaimedTokens } = strategies.get(strategy)!;
    strategies.set(strategy, { count: count + 1, reclaimedTokens: reclaimedTokens + reclaimed });
    reclaimable += reclaimed;
    first = Math.min(first, edit.at);
  }
  const verdict = judge(draft, view, reclaimable, first);
  const committed = verdict.reason === 'pruned';
  const report = {
    strategies: Object.fromEntries(strategies),
    reclaimedTokens: committed ? reclaimable : 0,
    reclaimableTokens: reclaimable,
    tokensBefore: draft.tokens,
    committed,
    ...verdict,
  };
  return { edits, report };
}

/** Applies what the strategies propose to a view, until its target is met. */
function runStrategies(view: WritableView, { strategies, targetTokens }: ResolvedPolicy): readonly MadeEdit[] {
  const made: MadeEdit[] = [];
  let over = targetTokens === null ? Number.POSITIVE_INFINITY : tokensOf(view) - targetTokens;
  for (const strategy of strategies) {
    if (over <= 0) break;
    for (const proposal of strategy.propose(view)) {
      const reclaimed = view.apply(proposal);
      if (reclaimed === 0) continue;
      const { at, set, note } = proposal;
      const edit: RewriteEdit = { kind: 'rewrite', at, set, reasons: [{ code: strategy.name, note }] };
      made.push({ strategy: strategy.name, edit, reclaimed });
      over -= reclaimed;
    }
  }
  return made;
}

/** Leaves out the edits that the target does not need, those of the newest messages first. */
function selectEdits(
  made: readonly MadeEdit[],
  view: WritableView,
  { targetTokens }: ResolvedPolicy,
): readonly MadeEdit[] {
  if (targetTokens === null) return made;
  let room = targetTokens * (1 - countingError) - tokensOf(view);
  const saved = new Map<number, number>();
  for (const { edit, reclaimed } of made) saved.set(edit.at, (saved.get(edit.at) ?? 0) + reclaimed);
  const whole = new Set<number>();
  for (const [at, cost] of [...saved].sort(([a], [b]) => b - a)) {
    if (cost > room) continue;
    whole.add(at);
    room -= cost;
  }
  return made.filter(({ edit }) => !whole.has(edit.at));
}

/** Tokens of all messages as a view leaves them. */
function tokensOf(view: WritableView): number {
  let tokens = 0;
  for (let at = 0; at < view.transcript.length; at++) tokens += view.tokens(at);
  return tokens;
}

/** @param first index of the first edited message */
function judge(
  draft: Draft,
  view: PruneView,
  reclaimable: number,
  first: number,
): Pick<PruneReport, 'reason' | 'message'> {
  const { policy } = view;
  const found = `${formatCount(reclaimable)} tokens could be reclaimed`;
  if (reclaimable === 0 || reclaimable < policy.minimum) {
    const kept = countProtected(view);
    if (kept > reclaimable && reclaimable <= policy.minimum / 2)
      return {
        reason: 'protected',
        message: `${formatCount(kept)} tokens of tool output are protected (${describeProtection(policy)}); ${found} outside of that, and the minimum is ${formatCount(policy.minimum)}. Lower \`protect\`, \`keepTurns\` or \`minimum\`, or scale them with \`adaptive: { contextLength }\`.`,
      };
    if (reclaimable === 0) return { reason: 'nothing-to-prune', message: 'No old tool output is left to shrink.' };
    return {
      reason: 'below-minimum',
      message: `${found}, which is less than the minimum of ${formatCount(policy.minimum)}.`,
    };
  }
  const decision = policy.gate?.({
    totalTokens: draft.tokens,
    reclaimedTokens: reclaimable,
    prefixTokens: draft.transcript.tokensBetween(0, first),
  });
  if (decision && !decision.commit) return { reason: 'gate-closed', message: decision.message };
  return { reason: 'pruned', message: `${formatCount(reclaimable)} tokens were reclaimed.` };
}

/** Tokens of the protected results that are long enough for a stub. */
function countProtected(view: PruneView): number {
  const { transcript, oldEnd } = view;
  let tokens = 0;
  for (let at = oldEnd; at < transcript.length; at++) {
    const exchange = view.exchange(at);
    const isLong = exchange !== null && exchange.text.length > maxShortLength;
    if (isLong && typeof view.current(at)?.content === 'string' && view.mayEdit(at)) tokens += view.tokens(at);
  }
  return tokens;
}

function describeProtection({ protect, keepTurns }: PolicySettings): string {
  const newest =
    'tokens' in protect
      ? `\`protect\`: the newest ${formatCount(protect.tokens)} tokens of tool output`
      : `\`protect\`: the newest ${formatCount(protect.transcript)} tokens of the transcript`;
  return keepTurns === 0 ? newest : `${newest}; \`keepTurns\`: the last ${keepTurns} turns`;
}
