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
import { readTranscripts } from '../pruning/shared-transcripts.ts';
import type { BenchOptions, Section, SectionResult } from '../section.ts';

const ways: Readonly<Record<string, Keep>> = {
  compressor: engineKeep(compressor),
  'prune-compact': engineKeep(pruneCompact),
  'newest tokens': newestTokens,
  'head + tail': headAndTail,
  'clearing the oldest results': clearOldestResults,
};

/** How much of what the agent needed later is still there, at equal budgets: the engines against the simple ways. */
export const fidelity: Section = {
  name: 'fidelity',
  title: 'Fidelity: what the agent needed later',
  async run({ dataFolder, quick, half }: BenchOptions): Promise<SectionResult> {
    const counter = createTokenCounter();
    const points: Point[] = [];
    const names = new Set<string>();
    let cuts = 0;
    for (const transcript of readTranscripts(dataFolder)) {
      for (const cut of cutsOf(transcript, counter, quick ? [0.55] : cutShares)) {
        if (cut.half !== half) continue;
        cuts++;
        names.add(cut.name);
        points.push(...(await measureCut(cut, ways, counter)));
      }
      if (quick && names.size >= 4) break;
    }
    const broken = points
      .filter(({ kept }) => kept.length === 0)
      .map(({ way, cut }) => `${way} left nothing of ${cut.name}`);
    const curves = curvesOf(points);
    return {
      markdown:
        cuts === 0
          ? 'No real transcripts at hand: fidelity could not be measured.'
          : report(curves, half, names.size, cuts),
      figures: { half, transcripts: names.size, cuts, budgets, curves },
      broken,
    };
  },
};

const percent = (value: number): string => (Number.isNaN(value) ? 'n/a' : (value * 100).toFixed(1));

function report(curves: readonly Curve[], half: string, transcripts: number, cuts: number): string {
  const table = (measure: 'facts' | 'verbatim'): string[] => [
    `| ${measure}, % | ${budgets.map((budget) => `at ${budget * 100} %`).join(' | ')} |`,
    `|---|${budgets.map(() => '--:').join('|')}|`,
    ...curves.map(
      (curve) =>
        `| ${curve.way} | ${curve[measure].map((value, at) => `${percent(value)} ± ${percent(curve.spread[measure][at]!)}`).join(' | ')} |`,
    ),
  ];
  return [
    `${cuts} cuts of ${transcripts} transcripts (the ${half} half), where 40, 55 and 70 % of their tokens are past; no model. A budget is a share of the past's tokens; ± is the standard error over cuts.`,
    '',
    ...table('facts'),
    '',
    ...table('verbatim'),
  ].join('\n');
}
