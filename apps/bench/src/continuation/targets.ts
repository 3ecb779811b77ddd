import { type CompactorResult, type MeasureName, measures } from '@palimpsest/eval';
import { extractiveWriter, ownCompactors } from '../compactors.ts';
import { atLeast, atMost, inPercent, inUnit, type Target } from '../target.ts';
import { manyCompactions, oneCompaction } from './repeated.ts';
import { find, isOwn, scoreOf, sizeName, unlimited } from './results.ts';

/** Required lead in facts over the best other method, at the small budgets. */
const leastLead = 1.2;
/** Most facts that compactions in a row may lose, in percentage points against a single one. */
const mostFactsLost = 1;
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
  const rivals = sized.filter(({ compactor }) => !(compactor in ownCompactors) && compactor !== extractiveWriter);
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

/** Models that write wrong summaries, compactions in a row, and planted rules after any compaction by our engines. */
export function robustnessTargets(results: readonly CompactorResult[], invented: number): Target[] {
  const area = 'continuation';
  const lost =
    scoreOf(find(results, oneCompaction, unlimited), 'facts') -
    scoreOf(find(results, manyCompactions, unlimited), 'facts');
  const own = results.filter(({ compactor }) => isOwn(compactor));
  const rules = Math.min(...own.map((one) => one.scores.canaryRules?.value ?? 1));
  return [
    ...results
      .filter(({ compactor }) => compactor.startsWith('compressor, a model that'))
      .flatMap((one) => [
        atLeast(area, `files changed, ${one.compactor}`, 0.98, scoreOf(one, 'files'), inPercent),
        atLeast(area, `user log, ${one.compactor}`, 0.97, scoreOf(one, 'userLog'), inPercent),
      ]),
    atMost(area, 'invented files named as changed, a model that invents files', 0, invented, inPercent),
    atMost(area, 'facts lost by ten compactions instead of one', mostFactsLost, lost * 100, inUnit(1, 'points')),
    atLeast('survival', 'planted rules kept by our engines, worst setting', 1, rules, inPercent),
  ];
}
