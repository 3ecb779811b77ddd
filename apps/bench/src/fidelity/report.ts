import { budgets, type Curve, dialectNames } from '../fidelity/index.ts';
import type { OpenPeers } from '../peers/open-peers.ts';
import { fidelityTargets } from './targets.ts';

const percent = (value: number): string => (Number.isNaN(value) ? 'n/a' : (value * 100).toFixed(1));

/** The chapter on fidelity: where others are ahead first. */
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
    `${cuts} cuts of ${transcripts} of ${source} (the ${half} half), where ${quick ? '55' : '40, 55 and 70'} % of their tokens are past; no model. A budget is a share of the past's tokens; ± is the standard error over cuts.`,
    '',
    ...table('facts'),
    '',
    ...table('verbatim'),
    '',
    ...byAge(curves),
    '',
    ...aboutTheAim(curves),
    ...whatStaysWhole(curves),
    '',
    'How the peers are called, each in its own process; where one asks for a newer Node.js than this, it ran on this one. What comes out over the budget is asked for once more with as much less, and then loses its oldest messages, whoever made it; "used" is the tokens it came to, as a share of the budget.',
    '',
    ...curves
      .filter(({ way }) => way in settings)
      .map(
        ({ way, used }) => `- ${way}: ${settings[way]}; used ${used.map((share) => `${percent(share)} %`).join(', ')}.`,
      ),
    ...[...missing].map(([way, reason]) => `- ${way}: not measured: ${reason}.`),
  ].join('\n');
}

/** Where any other way keeps more than the compressor does, said before anything else. */
function aheadOfUs(curves: readonly Curve[]): string[] {
  const ours = curves.find(({ way }) => way === 'compressor');
  const lines = curves.flatMap((other) =>
    (['facts', 'verbatim'] as const).flatMap((measure) => {
      const ahead = budgets.flatMap((budget, at) => {
        const [theirs, own] = [other[measure][at]!, ours?.[measure][at] ?? Number.NaN];
        return theirs > own ? [`at ${budget * 100} % (${percent(theirs)} to ${percent(own)})`] : [];
      });
      return ahead.length > 0 ? [`- ${other.way} keeps more ${measure} than the compressor ${ahead.join(', ')}.`] : [];
    }),
  );
  return lines.length > 0
    ? ['Where another way is better:', '', ...lines]
    : ['No other way keeps more facts or verbatim stretches than the compressor at any of these budgets.'];
}

/** Why half of the tokens does not do yet; found by looking at what was lost on the development half. */
function aboutTheAim(curves: readonly Curve[]): string[] {
  const isMissed = fidelityTargets(curves).some(({ what, met }) => what.startsWith('aim: ') && !met);
  return isMissed
    ? [
        'The aim, as much as the best other way keeps with twice the tokens, is missed. Of the facts lost on the development half at 20 %, about three in four stand only in tool output, and of these more than half between names that nobody had spoken of and that came by once: until the agent needs them nothing tells them from the lines around them.',
        '',
      ]
    : [];
}

/** By how long ago the past last held what was needed, at the middle budgets. */
function byAge(curves: readonly Curve[]): string[] {
  const at = 1;
  const ages = ['newest quarter', 'second', 'third', 'oldest quarter'];
  const cells = (bands: readonly number[] | undefined): string =>
    ages.map((_, band) => percent(bands?.[band] ?? Number.NaN)).join(' | ');
  return [
    `By age, at ${budgets[at]! * 100} %: where in the past it was last told what was needed, in quarters of its messages.`,
    '',
    `| kept, % | ${ages.map((age) => `facts, ${age}`).join(' | ')} | ${ages.map((age) => `verbatim, ${age}`).join(' | ')} |`,
    `|---|${'--:|'.repeat(ages.length * 2)}`,
    ...curves.map(({ way, bands }) => `| ${way} | ${cells(bands.facts[at])} | ${cells(bands.verbatim[at])} |`),
  ];
}

function whatStaysWhole(curves: readonly Curve[]): string[] {
  return [
    'What stays whole, over all cuts and budgets: prompts that were valid and still are, as they were returned; the current request word for word, and rules in the words of users, in what fits the budget.',
    '',
    `| % | ${dialectNames.map((name) => `valid, ${name}`).join(' | ')} | request | rules |`,
    `|---|${'--:|'.repeat(dialectNames.length + 2)}`,
    ...curves.map(
      ({ way, intact }) =>
        `| ${way} | ${[...dialectNames.map((name) => intact.valid[name]!), intact.request, intact.rules].map(percent).join(' | ')} |`,
    ),
  ];
}
