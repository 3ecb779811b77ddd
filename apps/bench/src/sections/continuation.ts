import { createTokenCounter } from '@palimpsest/tokens';
import { type CutWithProbes, measureTold, type ToldPoint } from '../continuation/measure-told.ts';
import { probeNames, probesOf, toldOf } from '../continuation/probes.ts';
import { halfTable, kindDefinitions, kindTable, leaveOneOutTable, method } from '../continuation/report.ts';
import { familyOfName, kindOf } from '../continuation/session-kind.ts';
import { continuationTargets } from '../continuation/targets.ts';
import { ownEngines, type Size, simpleWays } from '../continuation/ways.ts';
import { cutShares, cutsOf } from '../fidelity/index.ts';
import { openPeers } from '../peers/open-peers.ts';
import type { BenchOptions, Section, SectionResult } from '../section.ts';
import { readTranscripts, transcriptSource } from '../transcripts.ts';

/** Measures whether an agent could continue: what an output still tells of the user, the files, the tests and the plan. */
export const continuation: Section = {
  name: 'continuation',
  title: 'Continuation: what an agent must know to continue',
  isUntimed: true,
  async run({ dataFolder, quick, half }: BenchOptions): Promise<SectionResult> {
    const counter = createTokenCounter();
    const sizes: readonly Size[] = quick ? [null, 0.1] : [null, 0.1, 0.2, 0.35, 0.5];
    const peers = await openPeers(!quick);
    const points: ToldPoint[] = [];
    const broken: string[] = [];
    let sessions = 0;
    let cuts = 0;
    try {
      for (const transcript of readTranscripts(dataFolder)) {
        const { name, messages } = transcript;
        const some = [...cutsOf(transcript, counter, quick ? [0.55] : cutShares)];
        if (some.length === 0) continue;
        const [kind, family] = [kindOf(messages), familyOfName(name)];
        for (const cut of some) {
          const subject: CutWithProbes = { ...cut, kind, family, probes: probesOf(cut.past) };
          const whole = toldOf(subject.probes, cut.past);
          for (const probe of probeNames)
            if (whole[probe] < subject.probes[probe].length)
              broken.push(`the original of ${name} does not tell all ${probe}`);
          points.push(...(await measureTold(subject, sizes.slice(0, 2), { ...simpleWays, ...peers.ways }, counter)));
          points.push(...(await measureTold(subject, sizes.slice(2), simpleWays, counter)));
          cuts++;
        }
        if (++sessions >= 4 && quick) break;
      }
    } finally {
      peers.close();
    }
    if (cuts === 0) return { markdown: 'No available transcript is long enough.', figures: null, broken };
    const measured = points.filter(({ way }) => !peers.missing.has(way));
    const held = measured.filter(({ cut }) => cut.half === half);
    const ways = Object.keys(ownEngines);
    return {
      markdown: [
        method,
        '',
        `${cuts} cuts of ${sessions} of ${transcriptSource(dataFolder)}, made after ${quick ? '55' : '40, 55 and 70'} % of the tokens; no model is used. "Defaults": the engine compresses at its own threshold, without a target. Other methods have no default without a budget; they get as many tokens as the compressor uses.`,
        '',
        halfTable(measured, 'held-out'),
        '',
        halfTable(measured, 'development'),
        '',
        `Per kind of session, both halves. ${kindDefinitions()}`,
        '',
        ...ways.flatMap((way) => [null, 0.1].flatMap((size) => [kindTable(measured, way, size), ''])),
        'Both halves, with each family of transcripts left out in turn: the lowest value, and the family without which it is reached.',
        '',
        leaveOneOutTable(measured, ways, sizes),
      ].join('\n'),
      figures: {
        sessions,
        cuts,
        points: measured.map(({ way, size, cut, used, measured }) => ({
          way,
          size,
          name: cut.name,
          share: cut.share,
          half: cut.half,
          kind: cut.kind,
          used,
          ...measured,
          probes: Object.fromEntries(probeNames.map((probe) => [probe, cut.probes[probe].length])),
        })),
      },
      broken,
      targets: held.length === 0 ? [] : continuationTargets(held, measured),
    };
  },
};
