import {
  type Compact,
  type CompactorResult,
  type EvaluateOptions,
  evaluate,
  evaluationNotes,
  type MeasureName,
  measures,
} from '@palimpsest/eval';
import { halfOf } from '@palimpsest/eval/measures';
import { prune } from '@palimpsest/pruner';
import { createTokenCounter } from '@palimpsest/tokens';
import { baselines, ownCompactors } from '../compactors.ts';
import { engines } from '../engines/open-engine.ts';
import { atDefaults, withTokensOfCompressor } from '../evaluation/at-defaults.ts';
import { evaluationTargets, sizeName, unlimited } from '../evaluation/targets.ts';
import { openPeers } from '../peers/open-peers.ts';
import { type BenchOptions, bullets, type Measured, type Section, type Table } from '../section.ts';
import { readTranscripts, transcriptSource } from '../transcripts.ts';

/** Columns of the first table. */
const columns: readonly MeasureName[] = [
  'facts',
  'verbatim',
  'continuation',
  'chain',
  'once',
  'recall',
  'openai',
  'anthropic',
  'strict',
  'task',
  'canaryRules',
  'canaryFacts',
  'used',
  'dollars',
];
/** Columns of the second table. */
const details: readonly MeasureName[] = [...measures.continuation.parts, 'facts', 'verbatim'];

/**
 * Scores our engines, the pruner, simple baselines and every published peer with `@palimpsest/eval`: all measures at small
 * budgets, what is needed to continue also at large ones, and at the defaults.
 */
export const evaluation: Section = {
  name: 'evaluation',
  title: 'Evaluation: every measure of every compactor',
  isUntimed: true,
  async measure({ dataFolder, quick, half }: BenchOptions): Promise<Measured> {
    const held = readTranscripts(dataFolder).filter(({ name }) => halfOf(name) === half);
    const { ways, settings, missing, close } = openPeers(createTokenCounter());
    const run = (options: Pick<EvaluateOptions, 'compactors' | 'budgets' | 'chainSteps' | 'window'>) =>
      evaluate({
        transcripts: quick ? held.slice(0, 12) : held,
        ...(quick ? { cuts: [0.55] } : {}),
        onProgress: ({ number, of, transcript }) => process.stderr.write(`${number} of ${of}: ${transcript}\n`),
        ...options,
      });
    try {
      const small = await run({
        compactors: { ...ownCompactors, ...baselines, ...ways },
        budgets: quick ? [0.2] : [0.1, 0.2],
        ...(quick ? { chainSteps: 2 } : {}),
      });
      const few = { chainSteps: 0, window: null };
      const others = { ...baselines, ...mapValues(ways, ({ compact }) => compact) };
      const free = await run({ compactors: defaultsOf(others), budgets: [unlimited], ...few });
      const large = quick
        ? null
        : await run({ compactors: { ...ownCompactors, ...others }, budgets: [0.35, 0.5], ...few });
      const withoutHidden = (results: readonly CompactorResult[] = []): CompactorResult[] =>
        results.filter(({ compactor }) => !missing.has(compactor)).sort((a, b) => a.budget - b.budget);
      const results = [
        ...withoutHidden(free.results),
        ...withoutHidden(small.results),
        ...withoutHidden(large?.results),
      ];
      const summary = [
        `Of the ${half} half of ${transcriptSource(dataFolder)}. ${evaluationNotes({ ...small, skipped: [] }).join(' ')} ${small.skipped.length} transcripts are too short, too long, or need nothing of their past.`,
        tableOf(['%'], withoutHidden(small.results), columns),
        bullets(columns.map((name) => `*${measures[name].title}*: ${measures[name].meaning}`)),
        bullets([
          ...Object.entries(settings).map(([way, setting]) => `${way}: ${setting}.`),
          ...[...missing].map(([name, reason]) => `Not measured: ${name}: ${reason}.`),
        ]),
      ];
      return {
        report: [
          ...summary,
          peerMethod,
          'What an output still has of what an agent must know to continue. "Defaults": the engine compacts at its own threshold, without a target, and the pruner prunes at its default policy, with stubs or with plain placeholders; other methods have no default without a budget, and get as many tokens as the compressor uses.',
          tableOf([`${half} half, %`, 'tokens used'], results, details),
          bullets(measures.continuation.parts.map((name) => `*${measures[name].title}*: ${measures[name].meaning}`)),
        ],
        summary,
        figures: { ...small, results, missing: Object.fromEntries(missing) },
        targets: evaluationTargets(results),
      };
    } finally {
      close();
    }
  },
};

const peerMethod =
  "Each peer runs in its own process, on this version of Node.js even if it requires a newer one. If a peer's output is over the budget, the peer is called once more with the budget reduced by the excess. An output that is still over the budget loses its oldest messages, for every method alike.";

/** Every method at its defaults; see {@link atDefaults}. */
const defaultsOf = (others: Readonly<Record<string, Compact>>): Record<string, Compact> => ({
  ...mapValues(engines, atDefaults),
  pruner: (past, _, tokens) => prune(past, { tokens }).messages,
  'pruner, placeholders': (past, _, tokens) => prune(past, { tokens, placeholder: 'plain' }).messages,
  ...mapValues(others, withTokensOfCompressor),
});

const mapValues = <From, To>(all: Readonly<Record<string, From>>, to: (one: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(all).map(([name, one]) => [name, to(one)]));

/** @param first the heading of the methods, and that of the tokens used, if they are shown */
function tableOf(first: readonly string[], results: readonly CompactorResult[], names: readonly MeasureName[]): Table {
  return {
    head: [...first, ...names.map((name) => measures[name].title)],
    rows: results.map((one) => {
      const used = ((one.scores.used?.value ?? Number.NaN) * one.budget * 100).toFixed(0);
      const beginning = [`${one.compactor}, ${sizeName(one.budget)}`, used].slice(0, first.length);
      return [...beginning, ...names.map((name) => scoreCell(one, name))];
    }),
  };
}

/** A value and its interval. */
function scoreCell({ scores }: CompactorResult, name: MeasureName): string {
  const score = scores[name];
  if (score === null) return '';
  const isShare = measures[name].unit === 'share';
  const format = (value: number): string => (isShare ? (value * 100).toFixed(0) : value.toFixed(2));
  const { value, low, high } = score;
  return low === null || high === null ? format(value) : `${format(value)} (${format(low)}–${format(high)})`;
}
