import { budgets, dialectNames } from '@palimpsest/eval/measures';
import type { OpenPeers } from '../peers/open-peers.ts';
import type { Curve } from './curves.ts';
import { fidelityTargets } from './targets.ts';

const percent = (value: number): string => (Number.isNaN(value) ? 'n/a' : (value * 100).toFixed(1));

/** Formats the fidelity section, starting with the cases in which another method is better. */
export function fidelityReport(
  curves: readonly Curve[],
  half: string,
  transcripts: number,
  cuts: number,
  { settings, missing }: OpenPeers,
  quick: boolean,
  source: string,
): string {
  const table = (measure: 'facts' | 'verbatim'): string[] => [
    `| ${measure}, % | ${budgets.map((budget) => `at ${budget * 100} %`).join(' | ')} |`,
    `|---|${budgets.map(() => '--:').join('|')}|`,
    ...curves.map(
      (curve) =>
        `| ${curve.way} | ${curve[measure].map((value, at) => `${percent(value)} ± ${percent(curve.spread[measure][at]!)}`).join(' | ')} |`,
    ),
  ];
  return [
    ...aheadOfUs(curves),
    '',
    `${cuts} cuts of ${transcripts} of ${source} (the ${half} half), made after ${quick ? '55' : '40, 55 and 70'} % of the tokens; no model is used. A budget is a share of the tokens before the cut; ± is the standard error over cuts.`,
    '',
    ...table('facts'),
    '',
    ...table('verbatim'),
    '',
    ...byAge(curves),
    '',
    ...missedGoal(curves),
    ...essentialsKept(curves),
    '',
    'Each peer runs in its own process, on this version of Node.js even if it requires a newer one. If a peer\'s output is over the budget, the peer is called once more with the budget reduced by the excess. An output that is still over the budget loses its oldest messages, for every method alike. "Used" is the size of the output, as a share of the budget. Settings:',
    '',
    ...curves
      .filter(({ way }) => way in settings)
      .map(
        ({ way, used }) => `- ${way}: ${settings[way]}; used ${used.map((share) => `${percent(share)} %`).join(', ')}.`,
      ),
    ...[...missing].map(([way, reason]) => `- ${way}: not measured: ${reason}.`),
  ].join('\n');
}

/** Lists where another method keeps more than the compressor. */
function aheadOfUs(curves: readonly Curve[]): string[] {
  const ours = curves.find(({ way }) => way === 'compressor');
  const lines = curves.flatMap((other) =>
    (['facts', 'verbatim'] as const).flatMap((measure) => {
      const ahead = budgets.flatMap((budget, at) => {
        const [theirs, own] = [other[measure][at]!, ours?.[measure][at] ?? Number.NaN];
        return theirs > own ? [`at ${budget * 100} % (${percent(theirs)} % against ${percent(own)} %)`] : [];
      });
      return ahead.length > 0 ? [`- ${other.way} keeps more ${measure} than the compressor: ${ahead.join(', ')}.`] : [];
    }),
  );
  return lines.length > 0
    ? ['Where another method is better:', '', ...lines]
    : ['No other method keeps more facts or verbatim stretches than the compressor at any of these budgets.'];
}

/** Explains a missed goal, from an analysis of the lost facts on the development half. */
function missedGoal(curves: readonly Curve[]): string[] {
  const isMissed = fidelityTargets(curves).some(({ metric, met }) => metric.startsWith('goal: ') && !met);
  return isMissed
    ? [
        'The goal of keeping as much as the best other method keeps with twice the tokens is missed. Of the facts lost on the development half at 20 %, about three in four occur only in tool output. More than half of these connect names that occur once and that neither the user nor the agent mentioned; until the agent needs them, nothing distinguishes them from the surrounding lines.',
        '',
      ]
    : [];
}

/** Formats recall by age of the needed item, at one budget. */
function byAge(curves: readonly Curve[]): string[] {
  const at = 1;
  const ages = ['newest quarter', 'second', 'third', 'oldest quarter'];
  const cells = (bands: readonly number[] | undefined): string =>
    ages.map((_, band) => percent(bands?.[band] ?? Number.NaN)).join(' | ');
  return [
    `By age, at ${budgets[at]! * 100} %: the quarter of the past's messages in which a needed item last occurred.`,
    '',
    `| kept, % | ${ages.map((age) => `facts, ${age}`).join(' | ')} | ${ages.map((age) => `verbatim, ${age}`).join(' | ')} |`,
    `|---|${'--:|'.repeat(ages.length * 2)}`,
    ...curves.map(({ way, bands }) => `| ${way} | ${cells(bands.facts[at])} | ${cells(bands.verbatim[at])} |`),
  ];
}

function essentialsKept(curves: readonly Curve[]): string[] {
  return [
    'Essentials kept, over all cuts and budgets: valid prompts whose output is still valid (complete output); current requests kept word for word and user rules kept verbatim (in the part of the output that fits the budget).',
    '',
    `| % | ${dialectNames.map((name) => `valid, ${name}`).join(' | ')} | request | rules |`,
    `|---|${'--:|'.repeat(dialectNames.length + 2)}`,
    ...curves.map(
      ({ way, intact }) =>
        `| ${way} | ${[...dialectNames.map((name) => intact.valid[name]!), intact.request, intact.rules].map(percent).join(' | ')} |`,
    ),
  ];
}
