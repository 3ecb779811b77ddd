import { budgets } from '@palimpsest/eval/measures';
import { atLeast, inPercent, type Target } from '../target.ts';
import type { Curve } from './curves.ts';

/** At the budgets in {@link leadAt}, the compressor must keep this many times the facts of the best other method. */
const leastLead = 1.2;
const leadAt: readonly number[] = [0.1, 0.2];

/** Returns the compressor's targets, relative to the best simple baseline or peer in this run. */
export function fidelityTargets(curves: readonly Curve[]): Target[] {
  const ours = curves.find(({ way }) => way === 'compressor');
  const others = curves.filter(({ way }) => way !== 'compressor' && way !== 'prune-compact');
  if (!ours || others.length === 0) return [];
  const best = (measure: 'facts' | 'verbatim', at: number): Curve =>
    others.reduce((a, b) => (b[measure][at]! > a[measure][at]! ? b : a));
  const targets: Target[] = [];
  for (const measure of ['facts', 'verbatim'] as const)
    for (const [at, budget] of budgets.entries()) {
      const rival = best(measure, at);
      const lead = measure === 'facts' && leadAt.includes(budget) ? leastLead : 1;
      const metric = `${measure} at ${budget * 100} %, at least ${lead === 1 ? '' : `${lead} x `}the best other method (${rival.way})`;
      targets.push(atLeast('fidelity', metric, rival[measure][at]! * lead, ours[measure][at]!, inPercent));
    }
  const [half, whole] = [budgets.indexOf(0.1), budgets.indexOf(0.2)];
  for (const measure of ['facts', 'verbatim'] as const) {
    const rival = best(measure, whole);
    const metric = `goal: ${measure} at 10 %, at least the best other method at 20 % (${rival.way})`;
    targets.push(atLeast('fidelity', metric, rival[measure][whole]!, ours[measure][half]!, inPercent));
  }
  return targets;
}
