import { totalOf } from '@palimpsest/eval/measures';
import { markdownTable } from '../markdown-table.ts';
import { atLeast, atMost, inPercent, inUnit, type Target } from '../target.ts';
import { floorOf, leastOf } from './long-turn-floor.ts';
import { type EngineName, longTurns } from './long-turns.ts';
import { type LongTurnResult, runLongTurn, type Writer, writers } from './run-long-turn.ts';

type TurnName = keyof typeof longTurns;

/** One measured run. */
export interface LongTurnRun extends LongTurnResult {
  readonly turn: TurnName;
  readonly engine: EngineName;
  readonly writer: Writer;
}

type Figures = readonly [dollars: number, compactions: number];
type Earlier = Readonly<Record<EngineName, Readonly<Record<'a model' | 'rules', Figures>>>>;

/**
 * Dollars and compactions of the same runs at commit 437e820 (2026-11-22), the state that the plan for this step calls
 * "today": there, as the plan says, each compaction of prune-compact calls a model and none of its passes prunes.
 * Measured with the driver of commit b9cbfaf, adapted to the session of that time; counted and billed as here.
 */
const earlier: Readonly<Record<TurnName, Earlier>> = {
  overhead: {
    compressor: { 'a model': [3.594, 15], rules: [2.533, 15] },
    'prune-compact': { 'a model': [4.62, 33], rules: [3.048, 33] },
  },
  early: {
    compressor: { 'a model': [2.998, 51], rules: [2.816, 67] },
    'prune-compact': { 'a model': [3.027, 12], rules: [2.061, 12] },
  },
  many: {
    compressor: { 'a model': [8.024, 15], rules: [6.285, 15] },
    'prune-compact': { 'a model': [8.847, 22], rules: [6.257, 22] },
  },
  small: {
    compressor: { 'a model': [1.613, 18], rules: [0.959, 18] },
    'prune-compact': { 'a model': [1.376, 13], rules: [0.806, 14] },
  },
};

/** A model that rides is compared with the model of before, which could not. */
const earlierOf = ({ turn, engine, writer }: LongTurnRun): Figures =>
  earlier[turn][engine][writer === 'rules' ? 'rules' : 'a model'];

/** Runs every engine through every long turn, with each writer. */
export async function runLongTurns(quick: boolean): Promise<LongTurnRun[]> {
  const runs: LongTurnRun[] = [];
  for (const turn of quick ? (['small'] as const) : (Object.keys(longTurns) as TurnName[]))
    for (const engine of Object.keys(longTurns[turn].engines) as EngineName[])
      for (const writer of writers)
        runs.push({ turn, engine, writer, ...(await runLongTurn(longTurns[turn], engine, writer)) });
  return runs;
}

/** Formats the runs, with what they cost earlier and what none can save. */
export function longTurnReport(runs: readonly LongTurnRun[]): string[] {
  // A threshold changes nothing of it.
  const turns = [...new Set(runs.map(({ turn }) => turn))].filter((turn) => turn !== 'early');
  const floors = turns.map((turn) => `$${floorOf(longTurns[turn]).toFixed(2)} (${longTurns[turn].title})`);
  return [
    'An agent works on one prompt, a call and its result in each round, behind the fetch of a session; a provider with a prompt cache bills the bytes that arrive and reports what it has cached. Dollars at Anthropic prices; summaries by a model have up to 3,000 tokens. "A model that rides" is the agent\'s own, asked with its last request and one instruction after it, so that its input comes from the cache.',
    '',
    '"Earlier": the same run at commit 437e820, the state when these targets were set. At commit b9cbfaf, which already had a part of the cure, the runs with 20,000 of tools cost, with a model and by rules: compressor $3.04 (13 compactions) and $2.53 (15), prune-compact $2.72 (13) and $3.72 (45); with a threshold of 30,000, compressor $2.97 (31) and $2.44 (67), prune-compact $2.57 (15) and $2.27 (19). Small changes of the texts move the old figures: with shorter answers, prune-compact with a model made 22 compactions for $3.94 at commit 437e820 instead of 33 for $4.62.',
    '',
    `No policy can cost less than the answers, each message once, and tools and system prompt each time: ${floors.join('; ')}.`,
    '',
    '"Least": the best policy with as many compactions, at the best moments. Each keeps only tools, system prompt and the pending exchange. A model reads once what is removed, as the prompt of a summary shows it or from the cache, and writes nothing. What a run costs more is what it keeps: the words of the summaries, the handoffs, the stubs and the tail. A run whose passes prune without a call may leave output unread, and so save a part of the reading.',
    '',
    longTurnTable(runs),
  ];
}

function longTurnTable(runs: readonly LongTurnRun[]): string {
  const row = (run: LongTurnRun): string[] => {
    const { turn, engine, writer, compactions, modelCalls, summaryInput, summaryOutput, cost } = run;
    const [dollars, before] = earlierOf(run);
    return [
      `${longTurns[turn].title}: ${engine}, ${writer}`,
      String(compactions),
      String(modelCalls),
      `${summaryInput.toLocaleString('en-US')} / ${summaryOutput.toLocaleString('en-US')}`,
      [cost.read, cost.written, cost.output, cost.summaries].map((part) => part.toFixed(2)).join(' / '),
      totalOf(cost).toFixed(2),
      `${dollars.toFixed(2)} (${before})`,
      inPercent(totalOf(cost) / dollars - 1),
      leastOf(longTurns[turn], writer, compactions).toFixed(2),
    ];
  };
  return markdownTable(
    [
      'run',
      'compactions',
      'calls',
      'summary input / output',
      'read / written / output / summaries, $',
      'total $',
      'earlier $ (compactions)',
      'change',
      'least $',
    ],
    runs.map(row),
  );
}

/** Targets of the runs, as the plan for this step states them. */
export function longTurnTargets(runs: readonly LongTurnRun[]): Target[] {
  return runs.flatMap((run) => {
    const { turn, engine, writer, compactions } = run;
    const saving = 1 - totalOf(run.cost) / earlierOf(run)[0];
    const name = `${longTurns[turn].title}, ${engine}`;
    if (turn === 'small')
      return writer === 'rules' ? [atMost('economics', `${name}: compactions`, 20, compactions, inUnit(0))] : [];
    if (turn === 'many') {
      const withoutModel = 1 - run.passesWithModel / compactions;
      return engine === 'prune-compact' && writer === 'a model'
        ? [atLeast('economics', `${name}: passes without a model`, 0.5, withoutModel, inPercent)]
        : [];
    }
    if (writer === 'rules')
      return [atMost('economics', `${name}, rules: cost, relative to earlier`, 1.05, 1 - saving, inPercent)];
    const most = 1 - leastOf(longTurns[turn], writer, 12) / earlierOf(run)[0];
    const possible = `at most ${inPercent(most)} with 12 compactions and empty summaries of all that is removed`;
    return [
      atMost('economics', `${name}, ${writer}: compactions`, 12, compactions, inUnit(0)),
      { ...atLeast('economics', `${name}, ${writer}: cheaper than earlier`, 0.3, saving, inPercent), possible },
    ];
  });
}
