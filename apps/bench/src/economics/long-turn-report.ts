import { totalOf } from '@palimpsest/eval/measures';
import { engines } from '../engines/open-engine.ts';
import { markdownTable } from '../markdown-table.ts';
import { atLeast, atMost, inPercent, inUnit, type Target } from '../target.ts';
import { type LongTurnResult, longTurns, runLongTurn } from './long-turns.ts';

type TurnName = keyof typeof longTurns;
type EngineName = keyof typeof engines;

/** One measured run. */
export interface LongTurnRun extends LongTurnResult {
  readonly turn: TurnName;
  readonly engine: EngineName;
  readonly withModel: boolean;
}

/**
 * Dollars and compactions of the same runs at commit b9cbfaf (2026-11-23), before engines left a stretch of work behind a
 * compaction. Measured with this file.
 */
const earlier: Readonly<Record<TurnName, Readonly<Record<string, readonly [dollars: number, compactions: number]>>>> = {
  overhead: {
    'compressor true': [3.043, 13],
    'compressor false': [2.531, 15],
    'prune-compact true': [2.716, 13],
    'prune-compact false': [3.717, 45],
  },
  many: {
    'compressor true': [8.53, 15],
    'compressor false': [6.278, 15],
    'prune-compact true': [10.882, 59],
    'prune-compact false': [8.572, 51],
  },
  small: {
    'compressor true': [1.349, 16],
    'compressor false': [0.957, 18],
    'prune-compact true': [1.436, 12],
    'prune-compact false': [0.853, 15],
  },
};

const earlierOf = ({ turn, engine, withModel }: LongTurnRun): readonly [number, number] =>
  earlier[turn][`${engine} ${withModel}`]!;

/** Runs every engine through every long turn, with and without a model. */
export async function runLongTurns(quick: boolean): Promise<LongTurnRun[]> {
  const runs: LongTurnRun[] = [];
  for (const turn of quick ? (['small'] as const) : (Object.keys(longTurns) as TurnName[]))
    for (const engine of Object.keys(engines) as EngineName[])
      for (const withModel of [true, false])
        runs.push({ turn, engine, withModel, ...(await runLongTurn(longTurns[turn], engine, withModel)) });
  return runs;
}

export function longTurnTable(runs: readonly LongTurnRun[]): string {
  const row = (run: LongTurnRun): string[] => {
    const { turn, engine, withModel, compactions, modelCalls, summaryInput, summaryOutput, cost } = run;
    const [dollars, before] = earlierOf(run);
    return [
      `${longTurns[turn].title}: ${engine}, ${withModel ? 'a model' : 'rules'}`,
      String(compactions),
      String(modelCalls),
      `${summaryInput.toLocaleString('en-US')} / ${summaryOutput.toLocaleString('en-US')}`,
      [cost.read, cost.written, cost.output, cost.summaries].map((part) => part.toFixed(2)).join(' / '),
      totalOf(cost).toFixed(2),
      `${dollars.toFixed(2)} (${before})`,
      inPercent(totalOf(cost) / dollars - 1),
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
    ],
    runs.map(row),
  );
}

/** Targets of the runs, as the plan for this step states them. */
export function longTurnTargets(runs: readonly LongTurnRun[]): Target[] {
  return runs.flatMap((run) => {
    const { turn, engine, withModel, compactions } = run;
    const saving = 1 - totalOf(run.cost) / earlierOf(run)[0];
    const name = `${longTurns[turn].title}, ${engine}`;
    if (turn === 'small')
      return withModel ? [] : [atMost('economics', `${name}: compactions`, 20, compactions, inUnit(0))];
    if (turn === 'many')
      return engine === 'prune-compact' && withModel
        ? [
            atLeast(
              'economics',
              `${name}: passes without a model`,
              0.5,
              1 - run.passesWithModel / compactions,
              inPercent,
            ),
          ]
        : [];
    return withModel
      ? [
          atMost('economics', `${name}, a model: compactions`, 12, compactions, inUnit(0)),
          atLeast('economics', `${name}, a model: cheaper than earlier`, 0.3, saving, inPercent),
        ]
      : [atMost('economics', `${name}, rules: cost, relative to earlier`, 1.05, 1 - saving, inPercent)];
  });
}
