import { providers, totalOf } from '@palimpsest/eval/measures';
import { createTokenCounter } from '@palimpsest/tokens';
import { type EngineName, longTurns } from '../economics/long-turns.ts';
import { readConversations } from '../economics/read-conversations.ts';
import { economicsReport } from '../economics/report.ts';
import { type LongTurnResult, runLongTurn, type Writer, writers } from '../economics/run-long-turn.ts';
import { leastSaving, mostSaving, settingTable } from '../economics/settings-report.ts';
import {
  betterOfBoth,
  ownNames,
  type PolicyResult,
  peerNames,
  policies,
  resultOf,
  savingOver,
  simulateAll,
} from '../economics/simulate.ts';
import { type BenchOptions, count, type Measured, type Section, type Table } from '../section.ts';
import { atLeast, atMost, inPercent, inUnit, type Target } from '../target.ts';

const window = 200_000;
/** Highest cost, relative to the better of "never" and "at the window". */
const mostCost = 1.01;

/** Simulates what policies cost at the published prices of two providers. */
export const economics: Section = {
  name: 'economics',
  title: 'Economics: what each policy costs',
  isUntimed: true,
  async measure({ dataFolder, quick, half }: BenchOptions): Promise<Measured> {
    const counter = createTokenCounter();
    const all = readConversations(dataFolder, counter);
    const results = await simulateAll(quick ? all.slice(0, 4) : all, window, counter);
    const longRuns = await runLongTurns(quick);
    const held = results.filter((result) => result.half === half);
    const totals = policies.map(({ name }) => resultOf(held, name, window));
    const broken = totals
      .filter(({ policy, oversized }) => ownNames.includes(policy) && oversized > 0)
      .map(({ policy }) => `${policy} sent a prompt that is larger than the window`);
    return {
      report: [...economicsReport(results, half, window), longTurnMethod, longTurnTable(longRuns)],
      summary: [
        `The ${half} half of the shared transcripts, replayed in a window of 200,000 tokens at the prices of Claude Sonnet 4, for all ${held.length} together. The first row is the part of each cost that no policy can save, the second one the part that none with our default threshold can save. Facts: percentages, in the prompt, and with the answers of recall to an agent that searches.`,
        settingTable(totals),
      ],
      figures: {
        window,
        half,
        heldOut: totals,
        all: policies.map(({ name }) => resultOf(results, name, window)),
        longRuns,
      },
      broken,
      targets: [
        ...totals.filter(({ policy }) => ownNames.includes(policy)).flatMap(betterTargets),
        ...peerTargets(totals),
        ...longTurnTargets(longRuns),
      ],
    };

    function betterTargets({ policy, costs }: PolicyResult): Target[] {
      return providers.map((provider) => {
        const relative = costs[provider].total / betterOfBoth(held, provider);
        const metric = `${policy}, ${provider} prices: of the better of never and at the window`;
        return atMost('economics', metric, mostCost, relative, inPercent);
      });
    }

    /** The default engine against every peer, at the prices that favour the peer more. */
    function peerTargets(totals: readonly PolicyResult[]): Target[] {
      const ours = totals.find(({ policy }) => policy === ownNames[0])!;
      return totals
        .filter(({ policy }) => peerNames.includes(policy))
        .map((peer) => {
          const metric = `${ours.policy}: cheaper than ${peer.policy}`;
          const target = atLeast('economics', metric, leastSaving, savingOver(ours, peer), inPercent);
          return { ...target, possible: mostSaving(totals, peer) };
        });
    }
  },
};

type TurnName = keyof typeof longTurns;

/** One measured run of a long turn. */
interface LongTurnRun extends LongTurnResult {
  readonly turn: TurnName;
  readonly engine: EngineName;
  readonly writer: Writer;
}

/** Runs every engine through every long turn, with each writer. */
async function runLongTurns(quick: boolean): Promise<LongTurnRun[]> {
  const runs: LongTurnRun[] = [];
  for (const turn of quick ? (['small'] as const) : (Object.keys(longTurns) as TurnName[]))
    for (const engine of Object.keys(longTurns[turn].engines) as EngineName[])
      for (const writer of writers)
        runs.push({ turn, engine, writer, ...(await runLongTurn(longTurns[turn], engine, writer)) });
  return runs;
}

const longTurnMethod =
  'An agent works on one prompt, a call and its result in each round, behind the fetch of a session; a provider with a prompt cache bills the bytes that arrive and reports what it has cached. Dollars at Anthropic prices; summaries by a model have up to 3,000 tokens. "A model that rides" is the agent\'s own, asked with its last request and one instruction after it, so that its input comes from the cache.';

const longTurnTable = (runs: readonly LongTurnRun[]): Table => ({
  head: 'run,compactions,calls,summary input / output,read / written / output / summaries ($),total ($)'.split(','),
  rows: runs.map(({ turn, engine, writer, cost, ...run }) => [
    `${longTurns[turn].title}: ${engine}, ${writer}`,
    String(run.compactions),
    String(run.modelCalls),
    `${count(run.summaryInput)} / ${count(run.summaryOutput)}`,
    [cost.read, cost.written, cost.output, cost.summaries].map((part) => part.toFixed(2)).join(' / '),
    totalOf(cost).toFixed(2),
  ]),
});

/** Few compactions with much overhead and in a small window; in the longest turn, half of them without a model. */
function longTurnTargets(runs: readonly LongTurnRun[]): Target[] {
  return runs.flatMap(({ turn, engine, writer, compactions, passesWithModel }) => {
    const name = `${longTurns[turn].title}, ${engine}, ${writer}`;
    const most = turn === 'small' ? 20 : 12;
    if (turn !== 'many')
      return (writer === 'rules') === (turn === 'small')
        ? [atMost('economics', `${name}: compactions`, most, compactions, inUnit(0))]
        : [];
    return engine === 'prune-compact' && writer === 'a model'
      ? [atLeast('economics', `${name}: passes without a model`, 0.5, 1 - passesWithModel / compactions, inPercent)]
      : [];
  });
}
