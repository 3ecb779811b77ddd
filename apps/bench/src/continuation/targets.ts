import { type CompactorResult, type MeasureName, measures } from '@palimpsest/eval';
import { ownCompactors } from '../compactors.ts';
import { atLeast, inPercent, type Target } from '../target.ts';
import { find, scoreOf, sizeName, unlimited } from './results.ts';

/** Required lead in facts over the best other method, at the small budgets. */
const leastLead = 1.2;
/** What the compressor has to tell, by measure and size. */
const wanted: Partial<Record<MeasureName, Readonly<Record<number, number>>>> = {
  files: { [unlimited]: 0.98, 0.1: 0.9 },
  userLog: { [unlimited]: 0.97, 0.1: 0.9 },
  verdicts: { [unlimited]: 0.9, 0.1: 0.7 },
  conclusions: { [unlimited]: 0.8, 0.1: 0.45 },
  facts: { 0.1: 0.52, 0.2: 0.68, 0.35: 0.82, 0.5: 0.9 },
  verbatim: { 0.1: 0.54, 0.2: 0.7, 0.35: 0.82, 0.5: 0.9 },
};

/** What the compressor has to tell at each size. */
export function wantedTargets(results: readonly CompactorResult[]): Target[] {
  return Object.entries(wanted).flatMap(([name, sizes]) =>
    Object.entries(sizes).map(([size, least]) => {
      const where = Number(size) === unlimited ? 'defaults' : `at ${sizeName(Number(size))}`;
      const metric = `${measures[name as MeasureName].title}, ${where}`;
      const value = scoreOf(find(results, 'compressor', Number(size)), name as MeasureName);
      return atLeast('continuation', metric, least, value, inPercent);
    }),
  );
}

/** The compressor against the best other method at each budget and at twice the tokens. */
export function rivalTargets(results: readonly CompactorResult[]): Target[] {
  const sized = results.filter(({ budget }) => budget !== unlimited);
  const budgets = [...new Set(sized.map(({ budget }) => budget))];
  const rivals = sized.filter(({ compactor }) => !(compactor in ownCompactors));
  return (['facts', 'verbatim'] as const).flatMap((name) => {
    const best = (budget: number): CompactorResult =>
      rivals.filter((one) => one.budget === budget).reduce((a, b) => (scoreOf(b, name) > scoreOf(a, name) ? b : a));
    const ours = (way: string, budget: number): number => scoreOf(find(sized, way, budget), name);
    const twice = best(0.2);
    return [
      ...budgets.map((budget) => {
        const rival = best(budget);
        const lead = name === 'facts' && budget <= 0.2 ? leastLead : 1;
        const metric = `${name} at ${budget * 100} %, at least ${lead === 1 ? '' : `${lead} x `}the best other method (${rival.compactor})`;
        return atLeast('fidelity', metric, scoreOf(rival, name) * lead, ours('compressor', budget), inPercent);
      }),
      atLeast(
        'fidelity',
        `goal: ${name} at 10 %, at least the best other method at 20 % (${twice.compactor})`,
        scoreOf(twice, name),
        ours('compressor', 0.1),
        inPercent,
      ),
    ];
  });
}

/** Planted rules after any compaction by our engines. */
export function rulesTarget(results: readonly CompactorResult[]): Target {
  const own = results.filter(({ compactor }) => compactor in ownCompactors);
  const rules = Math.min(...own.map((one) => one.scores.canaryRules?.value ?? 1));
  return atLeast('survival', 'planted rules kept by our engines, worst setting', 1, rules, inPercent);
}
