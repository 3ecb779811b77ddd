import { type CompactorResult, evaluate, type MeasureName, measures } from '@palimpsest/eval';
import { cutShares, cutsOf, type Half, halfOf } from '@palimpsest/eval/measures';
import { createTokenCounter } from '@palimpsest/tokens';
import { baselines, ownCompactors } from '../compactors.ts';
import { atDefaults, withTokensOfCompressor } from '../continuation/at-defaults.ts';
import { find, scoreOf, sizeName, unlimited } from '../continuation/results.ts';
import { rivalTargets, rulesTarget, wantedTargets } from '../continuation/targets.ts';
import { engines } from '../engines/open-engine.ts';
import { openPeers } from '../peers/open-peers.ts';
import { notRun, peers } from '../peers/peer-list.ts';
import { type BenchOptions, bullets, type Measured, type Section, type Table } from '../section.ts';
import { inPercent } from '../target.ts';
import { readTranscripts, transcriptSource } from '../transcripts.ts';

const columns: readonly MeasureName[] = [...measures.continuation.parts, 'facts', 'verbatim'];

/** Measures whether an agent could continue, at the defaults of our engines and at equal budgets. */
export const continuation: Section = {
  name: 'continuation',
  title: 'Continuation: what an agent must know to continue',
  isUntimed: true,
  async measure({ dataFolder, quick, half }: BenchOptions): Promise<Measured> {
    const cuts = quick ? [0.55] : cutShares;
    const counter = createTokenCounter();
    const all = readTranscripts(dataFolder);
    const every = quick ? Math.ceil(all.length / 8) : 1;
    const held = all.filter(
      (one, at) => at % every === 0 && halfOf(one.name) === half && !cutsOf(one, counter, cuts).next().done,
    );
    if (held.length === 0) return { report: ['No available transcript is long enough.'], figures: null };
    const open = openPeers(peers, notRun);
    const options = { transcripts: held, cuts, chainSteps: 0, window: null, counter };
    const others = { ...baselines, ...open.ways };
    try {
      const sized = await evaluate({
        ...options,
        compactors: { ...ownCompactors, ...others },
        budgets: [0.1, 0.2, 0.35, 0.5],
      });
      const free = await evaluate({
        ...options,
        compactors: { ...mapped(engines, atDefaults), ...mapped(others, withTokensOfCompressor) },
        budgets: [unlimited],
      });
      const results = [...free.results, ...sized.results].filter(({ compactor }) => !open.missing.has(compactor));
      const number = sized.transcripts.reduce((sum, one) => sum + one.cuts, 0);
      const source = `${number} cuts of ${sized.transcripts.length} transcripts of the ${half} half of ${transcriptSource(dataFolder)}, made after ${cuts.map(inPercent).join(', ')} of the tokens`;
      return {
        report: reportOf(results, half, source, [
          peerMethod,
          bullets([
            ...Object.entries(open.settings).map(([way, setting]) => `${way}: ${setting}.`),
            ...[...open.missing].map(([way, reason]) => `${way}: not measured: ${reason}.`),
          ]),
        ]),
        figures: { half, results, missing: Object.fromEntries(open.missing) },
        targets: [...wantedTargets(results), ...rivalTargets(results), rulesTarget(results)],
      };
    } finally {
      open.close();
    }
  },
};

const peerMethod =
  "Each peer runs in its own process, on this version of Node.js even if it requires a newer one. If a peer's output is over the budget, the peer is called once more with the budget reduced by the excess. An output that is still over the budget loses its oldest messages, for every method alike. Settings:";

/** @param more paragraphs for the end */
function reportOf(
  results: readonly CompactorResult[],
  half: Half,
  source: string,
  more: readonly string[],
): Measured['report'] {
  return [
    `What an output still tells of what an agent must know to continue, and of what it needed later: ${source}. No model is used. "Defaults": the engine compresses at its own threshold, without a target; other methods have no default without a budget, and get as many tokens as the compressor uses.`,
    {
      head: [`${half} half, %`, 'tokens used', ...columns.map((name) => measures[name].title)],
      rows: results.map((result) => [
        `${result.compactor}, ${sizeName(result.budget)}`,
        percent(scoreOf(result, 'used') * result.budget),
        ...columns.map((name) => percent(scoreOf(result, name))),
      ]),
    },
    ...(['facts', 'verbatim'] as const).map((name) => byBudget(results, name)),
    bullets(columns.map((name) => `*${measures[name].title}*: ${measures[name].meaning}`)),
    ...more,
  ];
}

const mapped = <From, To>(all: Readonly<Record<string, From>>, to: (one: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(all).map(([name, one]) => [name, to(one)]));
const percent = (value: number): string => (Number.isNaN(value) ? 'n/a' : (value * 100).toFixed(0));
/** One measure of every method at each budget. */
function byBudget(results: readonly CompactorResult[], name: MeasureName): Table {
  const sized = results.filter(({ budget }) => budget !== unlimited);
  const budgets = [...new Set(sized.map(({ budget }) => budget))];
  const ways = [...new Set(sized.map(({ compactor }) => compactor))];
  return {
    head: [`${measures[name].title}, %`, ...budgets.map((budget) => `at ${budget * 100} %`)],
    rows: ways.map((way) => [way, ...budgets.map((budget) => percent(scoreOf(find(sized, way, budget), name)))]),
  };
}
