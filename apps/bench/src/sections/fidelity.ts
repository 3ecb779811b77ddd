import {
  type Compact,
  type CompactorResult,
  type Evaluation,
  evaluate,
  type MeasureName,
  measures,
} from '@palimpsest/eval';
import { cutShares, cutsOf, halfOf } from '@palimpsest/eval/measures';
import { createTokenCounter } from '@palimpsest/tokens';
import { simpleWays } from '../continuation/ways.ts';
import { writeExtract } from '../extract.ts';
import { markdownTable } from '../markdown-table.ts';
import { openPeers } from '../peers/open-peers.ts';
import { notRun, peers } from '../peers/peer-list.ts';
import type { BenchOptions, Section, SectionResult } from '../section.ts';
import { atLeast, inPercent, type Target } from '../target.ts';
import { readTranscripts, transcriptSource } from '../transcripts.ts';
import { ownCompactors, scoreCell } from './evaluation.ts';

const budgets: readonly number[] = [0.1, 0.2, 0.35, 0.5];
const recalls = ['facts', 'verbatim'] as const;
const others: readonly MeasureName[] = ['used', 'openai', 'anthropic', 'strict', 'request', 'rules'];
const writer = 'the extractive writer';
/** Required lead in facts over the best other method, at the small budgets. */
const leastLead = 1.2;

/** Replaces all messages by what the extractive writer says of them. A text over its budget is added to `broken`. */
const extractInto =
  (broken: string[]): Compact =>
  async (past, budgetTokens, counter) => {
    const content = await writeExtract(past, budgetTokens);
    const tokens = counter.countText(content);
    if (tokens > budgetTokens) broken.push(`a record has ${tokens} tokens, over its budget of ${budgetTokens}`);
    return [{ role: 'user', content }];
  };

/**
 * Measures how much of what the agent needed later is kept, at equal budgets, by our engines and writer, simple baselines
 * and published peers.
 */
export const fidelity: Section = {
  name: 'fidelity',
  title: 'Fidelity: what the agent needed later',
  isUntimed: true,
  async run({ dataFolder, quick, half }: BenchOptions): Promise<SectionResult> {
    const counter = createTokenCounter();
    const cuts = quick ? [0.55] : cutShares;
    const held = readTranscripts(dataFolder).filter(
      (one) => halfOf(one.name) === half && !cutsOf(one, counter, cuts).next().done,
    );
    if (held.length === 0)
      return {
        markdown: 'No available transcript is long enough: fidelity was not measured.',
        figures: null,
        broken: [],
      };
    const broken: string[] = [];
    const open = await openPeers(peers, notRun, !quick);
    try {
      const result = await evaluate({
        transcripts: quick ? held.slice(0, 4) : held,
        compactors: { ...ownCompactors, ...simpleWays, [writer]: extractInto(broken), ...open.ways },
        budgets,
        cuts,
        chainSteps: 0,
        window: null,
      });
      const results = result.results.filter(({ compactor }) => !open.missing.has(compactor));
      for (const { compactor, budget, scores } of results)
        if (compactor in ownCompactors && scores.used?.value === 0)
          broken.push(`${compactor} kept nothing at ${budget * 100} %`);
      return {
        markdown: report({ ...result, results }, open, `the ${half} half of ${transcriptSource(dataFolder)}`),
        targets: fidelityTargets(results),
        figures: { half, budgets, results, missing: Object.fromEntries(open.missing) },
        broken,
      };
    } finally {
      open.close();
    }
  },
};

function report(
  { results, transcripts, cuts }: Evaluation,
  { settings, missing }: Awaited<ReturnType<typeof openPeers>>,
  source: string,
): string {
  const ways = [...new Set(results.map(({ compactor }) => compactor))];
  const row = (way: string, names: readonly MeasureName[]): string[] => [
    way,
    ...names.flatMap((name) =>
      results.filter(({ compactor }) => compactor === way).map((result) => scoreCell(result, name)),
    ),
  ];
  const table = (name: MeasureName): string =>
    markdownTable(
      [`${measures[name].title}, %`, ...budgets.map((budget) => `at ${budget * 100} %`)],
      ways.map((way) => row(way, [name])),
    );
  const where = cuts.map((share) => (share * 100).toFixed(0)).join(', ');
  return [
    `${transcripts.reduce((sum, one) => sum + one.cuts, 0)} cuts of ${transcripts.length} transcripts of ${source}, made after ${where} % of the tokens; no model is used. A budget is a share of the tokens before the cut. In brackets: 95 % intervals by the bootstrap over transcripts.`,
    ...[...recalls, ...others].flatMap((name) => ['', table(name)]),
    '',
    ...[...recalls, ...others].map((name) => `- *${measures[name].title}*: ${measures[name].meaning}`),
    '',
    "Each peer runs in its own process, on this version of Node.js even if it requires a newer one. If a peer's output is over the budget, the peer is called once more with the budget reduced by the excess. An output that is still over the budget loses its oldest messages, for every method alike. Settings:",
    '',
    ...Object.entries(settings).map(([way, setting]) => `- ${way}: ${setting}.`),
    ...[...missing].map(([way, reason]) => `- ${way}: not measured: ${reason}.`),
  ].join('\n');
}

/** Compares the compressor with the best other method at each budget and at twice the tokens, and the writer with the newest messages. */
function fidelityTargets(results: readonly CompactorResult[]): Target[] {
  const scoreOf = (way: string, name: MeasureName, budget: number): number =>
    results.find((one) => one.compactor === way && one.budget === budget)?.scores[name]?.value ?? Number.NaN;
  const rivals = [...new Set(results.map(({ compactor }) => compactor))].filter(
    (way) => !(way in ownCompactors) && way !== writer,
  );
  const best = (name: MeasureName, budget: number): string =>
    rivals.reduce((a, b) => (scoreOf(b, name, budget) > scoreOf(a, name, budget) ? b : a));
  return recalls.flatMap((name) => [
    ...budgets.map((budget) => {
      const rival = best(name, budget);
      const lead = name === 'facts' && budget <= 0.2 ? leastLead : 1;
      const metric = `${name} at ${budget * 100} %, at least ${lead === 1 ? '' : `${lead} x `}the best other method (${rival})`;
      return atLeast(
        'fidelity',
        metric,
        scoreOf(rival, name, budget) * lead,
        scoreOf('compressor', name, budget),
        inPercent,
      );
    }),
    atLeast(
      'fidelity',
      `goal: ${name} at 10 %, at least the best other method at 20 % (${best(name, 0.2)})`,
      scoreOf(best(name, 0.2), name, 0.2),
      scoreOf('compressor', name, 0.1),
      inPercent,
    ),
    ...budgets.map((budget) => {
      const metric = `${name} at ${budget * 100} %, compared with the newest messages`;
      const newest = scoreOf('newest tokens', name, budget);
      return atLeast('extractive writer', metric, newest, scoreOf(writer, name, budget), inPercent);
    }),
  ]);
}
