import { type CompactorResult, type MeasureName, measures } from '@palimpsest/eval';
import { ownCompactors } from '../compactors.ts';
import { atLeast, failing, inPercent, type Target } from '../target.ts';

/** Stands for no budget: each method at its defaults. */
export const unlimited = 0.999;

/** What the compressor has to tell, by measure and size. */
const wanted: Partial<Record<MeasureName, Readonly<Record<number, number>>>> = {
  files: { [unlimited]: 0.98, 0.1: 0.9 },
  userLog: { [unlimited]: 0.97, 0.1: 0.9 },
  verdicts: { [unlimited]: 0.9, 0.1: 0.7 },
  conclusions: { [unlimited]: 0.8, 0.1: 0.45 },
  facts: { 0.1: 0.52, 0.2: 0.68, 0.35: 0.82, 0.5: 0.9 },
  verbatim: { 0.1: 0.54, 0.2: 0.7, 0.35: 0.82, 0.5: 0.9 },
  recall: { 0.1: 0.8, 0.2: 0.86 },
};

/** Required lead in facts over the best other method, at the small budgets. */
const minLead = 1.2;

type Results = readonly CompactorResult[];

export const sizeName = (budget: number): string => (budget === unlimited ? 'defaults' : `${budget * 100} %`);

const scoreOf = (results: Results, way: string, budget: number, name: MeasureName): number =>
  results.find((one) => one.compactor === way && one.budget === budget)?.scores[name]?.value ?? Number.NaN;

/** What the compressor has to tell at each size, compared with other methods and with fixed limits. */
export function evaluationTargets(results: Results): Target[] {
  return [...targetsOf(results), ...rivalTargets(results), ...prunerTargets(results), rulesTarget(results)];
}

export function targetsOf(results: Results): Target[] {
  return Object.entries(wanted).flatMap(([name, sizes]) =>
    Object.entries(sizes).map(([size, least]) => {
      const value = scoreOf(results, 'compressor', Number(size), name as MeasureName);
      const metric = `${measures[name as MeasureName].title}, ${sizeName(Number(size))}`;
      return atLeast('continuation', metric, least, value, inPercent);
    }),
  );
}

/** The compressor against the best other method at each budget and at twice the tokens. */
function rivalTargets(results: Results): Target[] {
  const budgets = [...new Set(results.map(({ budget }) => budget))].filter((budget) => budget !== unlimited);
  const rivals = [...new Set(results.map(({ compactor }) => compactor))].filter((way) => !(way in ownCompactors));
  return (['facts', 'verbatim'] as const).flatMap((name) => {
    const best = (budget: number) =>
      rivals
        .map((way) => ({ way, value: scoreOf(results, way, budget, name) }))
        .filter(({ value }) => !Number.isNaN(value))
        .sort((a, b) => b.value - a.value)[0] ?? { way: 'none', value: Number.NaN };
    const ours = (budget: number): number => scoreOf(results, 'compressor', budget, name);
    const twice = best(0.2);
    return [
      ...budgets.map((budget) => {
        const { way, value } = best(budget);
        const lead = name === 'facts' && budget <= 0.2 ? minLead : 1;
        const metric = `${name} at ${sizeName(budget)}, at least ${lead === 1 ? '' : `${lead} x `}the best other method (${way})`;
        return atLeast('fidelity', metric, value * lead, ours(budget), inPercent);
      }),
      atLeast(
        'fidelity',
        `goal: ${name} at 10 %, at least the best other method at 20 % (${twice.way})`,
        twice.value,
        ours(0.1),
        inPercent,
      ),
    ];
  });
}

/** Stubs save about as much as plain placeholders in place of the same results, and keep at least as much. */
function prunerTargets(results: Results): Target[] {
  const least = (what: string, limit: number, value: number): Target =>
    failing(atLeast('pruner', `${what} placeholders`, limit, value, inPercent), 'in full');
  const [stubs, placeholders] = ['pruner', 'pruner, placeholders'].map(
    (way) => (name: MeasureName) => scoreOf(results, way, unlimited, name),
  );
  return [
    least('tokens reclaimed, relative to', 0.94, (1 - stubs!('used')) / (1 - placeholders!('used'))),
    ...(['facts', 'verbatim'] as const).map((name) =>
      least(`${name} kept, compared with`, placeholders!(name), stubs!(name)),
    ),
  ];
}

/** Planted rules after any compaction by our engines. */
function rulesTarget(results: Results): Target {
  const own = results.filter(({ compactor }) => compactor in ownCompactors);
  const rules = Math.min(...own.map((one) => one.scores.canaryRules?.value ?? 1));
  return atLeast('survival', 'planted rules kept by our engines, worst setting', 1, rules, inPercent);
}
