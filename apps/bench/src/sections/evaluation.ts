import {
  type Compactor,
  type CompactorResult,
  evaluate,
  evaluationNotes,
  type MeasureName,
  measures,
} from '@palimpsest/eval';
import { halfOf } from '@palimpsest/eval/measures';
import { createTokenCounter } from '@palimpsest/tokens';
import { baselines, ownCompactors } from '../compactors.ts';
import { type OpenPeers, openPeers } from '../peers/open-peers.ts';
import { notRun, peers, recallNotRun, recallPeers } from '../peers/peer-list.ts';
import { peerSearch } from '../peers/peer-search.ts';
import { type BenchOptions, bullets, type Measured, type Section } from '../section.ts';
import { atLeast, inPercent } from '../target.ts';
import { readTranscripts, transcriptSource } from '../transcripts.ts';

/** Required share of facts with searches, by budget. */
const leastFacts: Readonly<Record<number, number>> = { 0.1: 0.8, 0.2: 0.86 };

/** Columns of the table; the parts of continuation are in the JSON. */
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
  'request',
  'canaryRules',
  'canaryFacts',
  'used',
  'dollars',
];

/** Scores both engines, simple baselines and every published peer with `@palimpsest/eval`: one table of all measures. */
export const evaluation: Section = {
  name: 'evaluation',
  title: 'Evaluation: every measure of every compactor',
  isUntimed: true,
  async measure({ dataFolder, quick, half }: BenchOptions): Promise<Measured> {
    const held = readTranscripts(dataFolder).filter(({ name }) => halfOf(name) === half);
    const plain = openPeers(peers, notRun);
    const searching = openPeers(recallPeers, recallNotRun);
    try {
      const result = await evaluate({
        transcripts: quick ? held.slice(0, 12) : held,
        compactors: { ...ownCompactors, ...baselines, ...plain.ways, ...withSearches(searching) },
        budgets: quick ? [0.2] : Object.keys(leastFacts).map(Number),
        ...(quick ? { cuts: [0.55], chainSteps: 2 } : {}),
        onProgress: ({ number, of, transcript }) => process.stderr.write(`${number} of ${of}: ${transcript}\n`),
      });
      const missing = new Map([...plain.missing, ...searching.missing]);
      const rows = result.results
        .filter(({ compactor }) => !missing.has(compactor))
        .sort((a, b) => a.budget - b.budget);
      const report = [
        `Of the ${half} half of ${transcriptSource(dataFolder)}. ${evaluationNotes({ ...result, skipped: [] }).join(' ')} ${result.skipped.length} transcripts are too short, too long, or need nothing of their past.`,
        {
          head: ['%', ...columns.map((name) => measures[name].title)],
          rows: rows.map((row) => [
            `${row.compactor}, ${row.budget * 100} %`,
            ...columns.map((name) => scoreCell(row, name)),
          ]),
        },
        bullets(columns.map((name) => `*${measures[name].title}*: ${measures[name].meaning}`)),
        bullets([
          ...Object.entries(searching.settings).map(([name, setting]) => `${name}: ${setting}.`),
          ...[...missing].map(([name, reason]) => `Not measured: ${name}: ${reason}.`),
        ]),
      ];
      return {
        report,
        summary: report,
        figures: { ...result, missing: Object.fromEntries(missing) },
        targets: rows
          .filter(({ compactor }) => compactor === 'compressor')
          .map(({ budget, scores }) => {
            const value = scores.recall?.value ?? Number.NaN;
            return atLeast(
              'recall',
              `facts at ${budget * 100} %, with searches`,
              leastFacts[budget]!,
              value,
              inPercent,
            );
          }),
      };
    } finally {
      plain.close();
      searching.close();
    }
  },
};

/** Peers that hide text and give it back. */
function withSearches({ ways, searches, missing }: OpenPeers): Record<string, Compactor> {
  const counter = createTokenCounter();
  return Object.fromEntries(
    Object.entries(ways).map(([name, compact]): [string, Compactor] => [
      name,
      { compact, search: peerSearch(searches[name]!, missing, name, counter) },
    ]),
  );
}

/** A value and its interval. */
function scoreCell({ scores }: CompactorResult, name: MeasureName): string {
  const score = scores[name];
  if (score === null) return '';
  const isShare = measures[name].unit === 'share';
  const shown = (value: number): string => (isShare ? (value * 100).toFixed(0) : value.toFixed(2));
  const { value, low, high } = score;
  return low === null || high === null ? shown(value) : `${shown(value)} (${shown(low)}–${shown(high)})`;
}
