import { cutShares, probeNames } from '@palimpsest/eval/measures';
import { createTokenCounter } from '@palimpsest/tokens';
import { brokenProbes, cutsWithProbes } from '../continuation/cuts-with-probes.ts';
import { measureTold, type ToldPoint } from '../continuation/measure-told.ts';
import { measureRepetition } from '../continuation/repeated.ts';
import { continuationReport } from '../continuation/report.ts';
import { continuationTargets, robustnessTargets } from '../continuation/targets.ts';
import { type Size, simpleWays } from '../continuation/ways.ts';
import { measureWriters } from '../continuation/writers.ts';
import { openPeers } from '../peers/open-peers.ts';
import { notRun, peers } from '../peers/peer-list.ts';
import type { BenchOptions, Section, SectionResult } from '../section.ts';
import { readTranscripts, transcriptSource } from '../transcripts.ts';

/** Sizes at which every method is measured, the published peers included. */
const mainSizes: readonly Size[] = [null, 0.1];
/** Further sizes, for our engines and the simple baselines. */
const moreSizes: readonly Size[] = [0.2, 0.35, 0.5];

/** Measures whether an agent could continue: what an output still tells of the user, the files, the tests and the plan. */
export const continuation: Section = {
  name: 'continuation',
  title: 'Continuation: what an agent must know to continue',
  isUntimed: true,
  async run({ dataFolder, quick, half }: BenchOptions): Promise<SectionResult> {
    const counter = createTokenCounter();
    const shares = quick ? [0.55] : cutShares;
    const transcripts = readTranscripts(dataFolder);
    const every = quick ? Math.ceil(transcripts.length / 8) : 1;
    const cuts = cutsWithProbes(
      transcripts.filter((_, at) => at % every === 0),
      counter,
      shares,
    );
    const broken = brokenProbes(cuts);
    if (cuts.length === 0) return { markdown: 'No available transcript is long enough.', figures: null, broken };
    const open = await openPeers(peers, notRun, !quick);
    const all: ToldPoint[] = [];
    try {
      for (const cut of cuts) {
        all.push(...(await measureTold(cut, mainSizes, { ...simpleWays, ...open.ways }, counter)));
        if (!quick) all.push(...(await measureTold(cut, moreSizes, simpleWays, counter)));
      }
    } finally {
      open.close();
    }
    const points = all.filter(({ way }) => !open.missing.has(way));
    // To save time, these have one cut per transcript of the reported half.
    const lastCuts = cuts.filter((cut) => cut.share === shares.at(-1) && cut.half === half);
    const writers = await measureWriters(lastCuts, mainSizes, counter);
    const repetitions = await measureRepetition(lastCuts, counter);
    const held = points.filter(({ cut }) => cut.half === half);
    return {
      markdown: continuationReport(points, writers, repetitions, {
        source: transcriptSource(dataFolder),
        shares,
        half,
        cuts: cuts.length,
        sizes: quick ? mainSizes : [...mainSizes, ...moreSizes],
        missing: open.missing,
      }),
      figures: { points: points.map(figuresOf), writers, repetitions },
      broken,
      targets:
        held.length > 0 ? [...continuationTargets(held, points), ...robustnessTargets(writers, repetitions)] : [],
    };
  },
};

const figuresOf = ({ way, size, cut, used, measured }: ToldPoint): unknown => ({
  way,
  size,
  name: cut.name,
  cut: cut.share,
  used,
  ...measured,
  probes: Object.fromEntries(probeNames.map((probe) => [probe, cut.probes[probe].length])),
});
