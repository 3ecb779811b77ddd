import {
  type Compactor,
  type CompactorResult,
  type Evaluation,
  engineCompactor,
  evaluate,
  evaluationNotes,
  type MeasureName,
  measures,
} from '@palimpsest/eval';
import { halfOf } from '@palimpsest/eval/measures';
import { createTokenCounter } from '@palimpsest/tokens';
import { simpleWays } from '../continuation/ways.ts';
import { engines } from '../engines/open-engine.ts';
import { markdownTable } from '../markdown-table.ts';
import { type OpenPeers, openPeers } from '../peers/open-peers.ts';
import { notRun, peers, recallNotRun, recallPeers } from '../peers/peer-list.ts';
import { peerSearch } from '../recall/retrieval.ts';
import type { BenchOptions, Section, SectionResult } from '../section.ts';
import { readTranscripts, transcriptSource } from '../transcripts.ts';

const budgets: readonly number[] = [0.1, 0.2];
/** Our engines, as compactors. */
export const ownCompactors: Readonly<Record<string, Compactor>> = {
  compressor: engineCompactor((host) => engines.compressor(host, 200_000)),
  'prune-compact': engineCompactor((host) => engines['prune-compact'](host, 200_000)),
};

/** Scores both engines, simple baselines and every published peer with `@palimpsest/eval`: one table of all measures. */
export const evaluation: Section = {
  name: 'evaluation',
  title: 'Evaluation: every measure of every compactor',
  isUntimed: true,
  async run({ dataFolder, quick, half }: BenchOptions): Promise<SectionResult> {
    const held = readTranscripts(dataFolder).filter(({ name }) => halfOf(name) === half);
    const plain = await openPeers(peers, notRun, !quick);
    const searching = await openPeers(recallPeers, recallNotRun, !quick);
    try {
      const result = await evaluate({
        transcripts: quick ? held.slice(0, 12) : held,
        compactors: { ...ownCompactors, ...simpleWays, ...plain.ways, ...withSearches(searching) },
        budgets: quick ? [0.2] : budgets,
        ...(quick ? { cuts: [0.55], chainSteps: 2 } : {}),
        onProgress: ({ number, of, transcript }) => process.stderr.write(`${number} of ${of}: ${transcript}\n`),
      });
      const missing = new Map([...plain.missing, ...searching.missing]);
      return {
        markdown: evaluationReport(result, missing, `the ${half} half of ${transcriptSource(dataFolder)}`),
        figures: { ...result, missing: Object.fromEntries(missing) },
        broken: [],
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

/** Formats one table of all compactors at every budget, and what each column is. */
function evaluationReport(result: Evaluation, missing: ReadonlyMap<string, string>, source: string): string {
  const rows = result.results
    .filter(({ compactor }) => !missing.has(compactor))
    .sort((a, b) => a.budget - b.budget)
    .map((row) => [`${row.compactor}, ${row.budget * 100} %`, ...columns.map((name) => scoreCell(row, name))]);
  return [
    `Of ${source}. ${evaluationNotes({ ...result, skipped: [] }).join(' ')} ${result.skipped.length} transcripts are too short, too long, or need nothing of their past.`,
    '',
    markdownTable(['%', ...columns.map((name) => measures[name].title)], rows),
    '',
    ...columns.map((name) => `- *${measures[name].title}*: ${measures[name].meaning}`),
    '',
    ...[...missing].map(([name, reason]) => `- Not measured: ${name}: ${reason}.`),
  ].join('\n');
}

/** A value and half the width of its interval. */
export function scoreCell({ scores }: CompactorResult, name: MeasureName): string {
  const score = scores[name];
  if (score === null) return '';
  const isShare = measures[name].unit === 'share';
  const shown = (value: number): string => (isShare ? (value * 100).toFixed(0) : value.toFixed(2));
  const { value, low, high } = score;
  return low === null || high === null ? shown(value) : `${shown(value)} (${shown(low)}–${shown(high)})`;
}
