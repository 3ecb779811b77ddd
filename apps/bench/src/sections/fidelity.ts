import compressor from '@palimpsest/compressor';
import pruneCompact from '@palimpsest/prune-compact';
import { createTokenCounter } from '@palimpsest/tokens';
import {
  budgets,
  type Curve,
  clearOldestResults,
  curvesOf,
  cutShares,
  cutsOf,
  engineKeep,
  headAndTail,
  type Keep,
  measureCut,
  newestTokens,
  type Point,
} from '../fidelity/index.ts';
import { type OpenPeers, openPeers } from '../peers/open-peers.ts';
import { readTranscripts } from '../pruning/shared-transcripts.ts';
import type { BenchOptions, Section, SectionResult } from '../section.ts';

const engines: Readonly<Record<string, Keep>> = {
  compressor: engineKeep(compressor),
  'prune-compact': engineKeep(pruneCompact),
};
const simple: Readonly<Record<string, Keep>> = {
  'newest tokens': newestTokens,
  'head + tail': headAndTail,
  'clearing the oldest results': clearOldestResults,
};

/** How much of what the agent needed later is still there, at equal budgets: the engines against the simple ways and the published peers. */
export const fidelity: Section = {
  name: 'fidelity',
  title: 'Fidelity: what the agent needed later',
  async run({ dataFolder, quick, half }: BenchOptions): Promise<SectionResult> {
    const counter = createTokenCounter();
    const peers = await openPeers(!quick);
    const ways = { ...engines, ...simple, ...peers.ways };
    const points: Point[] = [];
    const names = new Set<string>();
    let cuts = 0;
    try {
      for (const transcript of readTranscripts(dataFolder)) {
        for (const cut of cutsOf(transcript, counter, quick ? [0.55] : cutShares)) {
          if (cut.half !== half) continue;
          cuts++;
          names.add(cut.name);
          points.push(...(await measureCut(cut, ways, counter)));
        }
        if (quick && names.size >= 4) break;
      }
    } finally {
      peers.close();
    }
    const broken = points
      .filter(({ way, kept }) => way in engines && kept.length === 0)
      .map(({ way, cut }) => `${way} left nothing of ${cut.name}`);
    const curves = curvesOf(points.filter(({ way }) => !peers.missing.has(way)));
    return {
      markdown:
        cuts === 0
          ? 'No real transcripts at hand: fidelity could not be measured.'
          : report(curves, half, names.size, cuts, peers, quick),
      figures: { half, transcripts: names.size, cuts, budgets, curves, missing: Object.fromEntries(peers.missing) },
      broken,
    };
  },
};

const percent = (value: number): string => (Number.isNaN(value) ? 'n/a' : (value * 100).toFixed(1));

function report(
  curves: readonly Curve[],
  half: string,
  transcripts: number,
  cuts: number,
  { settings, missing }: OpenPeers,
  quick: boolean,
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
    `${cuts} cuts of ${transcripts} transcripts (the ${half} half), where ${quick ? '55' : '40, 55 and 70'} % of their tokens are past; no model. A budget is a share of the past's tokens; ± is the standard error over cuts.`,
    '',
    ...table('facts'),
    '',
    ...table('verbatim'),
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
