import {
  budgets,
  type Compact,
  clearOldestResults,
  cutShares,
  cutsOf,
  headAndTail,
  measureCut,
  newestTokens,
  type Point,
} from '@palimpsest/eval/measures';
import { createTokenCounter } from '@palimpsest/tokens';
import { engines as ours } from '../engines/open-engine.ts';
import { curvesOf } from '../fidelity/curves.ts';
import { engineKeep } from '../fidelity/engine-keep.ts';
import { fidelityReport } from '../fidelity/report.ts';
import { fidelityTargets } from '../fidelity/targets.ts';
import { openPeers } from '../peers/open-peers.ts';
import { notRun, peers } from '../peers/peer-list.ts';
import type { BenchOptions, Section, SectionResult } from '../section.ts';
import { readTranscripts, transcriptSource } from '../transcripts.ts';

const engines: Readonly<Record<string, Compact>> = {
  compressor: engineKeep(ours.compressor),
  'prune-compact': engineKeep(ours['prune-compact']),
};
const simple: Readonly<Record<string, Compact>> = {
  'newest tokens': newestTokens,
  'head + tail': headAndTail,
  'clearing the oldest results': clearOldestResults,
};

/** Measures how much of what the agent needed later is kept at equal budgets: our engines, simple baselines and published peers. */
export const fidelity: Section = {
  name: 'fidelity',
  title: 'Fidelity: what the agent needed later',
  isUntimed: true,
  async run({ dataFolder, quick, half }: BenchOptions): Promise<SectionResult> {
    const counter = createTokenCounter();
    const open = await openPeers(peers, notRun, !quick);
    const ways = { ...engines, ...simple, ...open.ways };
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
      open.close();
    }
    const broken = points
      .filter(({ way, kept }) => way in engines && kept.length === 0)
      .map(({ way, cut }) => `${way} kept nothing of ${cut.name}`);
    const curves = curvesOf(points.filter(({ way }) => !open.missing.has(way)));
    return {
      markdown:
        cuts === 0
          ? 'No available transcript is long enough: fidelity was not measured.'
          : fidelityReport(curves, half, names.size, cuts, open, quick, transcriptSource(dataFolder)),
      targets: fidelityTargets(curves),
      figures: { half, transcripts: names.size, cuts, budgets, curves, missing: Object.fromEntries(open.missing) },
      broken,
    };
  },
};
