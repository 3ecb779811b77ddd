import type { TurnRange } from './choose-region.ts';

/** The outcome of a trajectory. */
export type TrajectoryOutcome =
  | 'under-target'
  | 'compacted'
  /** Over the target, but all turns are protected. */
  | 'nothing-between'
  /** Over the target, but the replaceable turns are not larger than a summary. */
  | 'middle-too-small'
  /** The summary failed; the trajectory is unchanged. */
  | 'summary-failed'
  /** The summary would not have saved tokens; the trajectory is unchanged. */
  | 'summary-too-large';

/** Metrics of one trajectory. Token counts are exact. */
export interface TrajectoryMetrics {
  readonly outcome: TrajectoryOutcome;
  readonly turnsBefore: number;
  readonly turnsAfter: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** `tokensAfter / tokensBefore`; 1 if the trajectory is unchanged. */
  readonly ratio: number;
  /** The replaced turns of the input, as a half-open range, and their tokens; `null` if none were replaced. */
  readonly region: (TurnRange & { readonly turns: number; readonly tokens: number }) | null;
  /** Tokens of the inserted turn. */
  readonly summaryTokens: number;
  /** Number of calls to a summarizing model, including retries. */
  readonly calls: number;
  /** Number of these calls that were retries. */
  readonly retries: number;
  /** Number of these calls that failed. */
  readonly errors: number;
  readonly wasCompacted: boolean;
  /** True if the trajectory is over the target afterwards, for any reason. */
  readonly stillOverLimit: boolean;
  readonly skippedUnderTarget: boolean;
  /** Why the summary failed, without conversation text; `null` if it did not fail. */
  readonly failure: { readonly class: string; readonly message: string } | null;
  readonly durationMs: number;
}

const totalNames = [
  /** Rows read, including rejected ones. */
  'rows',
  /** Rows that are not trajectories. They are in the reject file. */
  'rejected',
  'compacted',
  'skippedUnderTarget',
  'stillOverLimit',
  /** Trajectories that are unchanged because their summary failed. */
  'failed',
  'turnsBefore',
  'turnsAfter',
  'tokensBefore',
  'tokensAfter',
  /** Tokens of the replaced turns. */
  'regionTokens',
  /** Tokens of the inserted turns. */
  'summaryTokens',
  'calls',
  'retries',
  'errors',
  /** Sum of the times of all trajectories in milliseconds. Longer than the elapsed time if they overlap. */
  'durationMs',
] as const;

/** Totals of many trajectories: the numbers of their metrics, and how many there were of each kind. */
export type RunTotals = Readonly<Record<(typeof totalNames)[number], number>>;

/** Totals with one value for each name. */
function totalsBy(read: (name: keyof RunTotals) => number): RunTotals {
  return Object.fromEntries(totalNames.map((name) => [name, read(name)])) as Record<keyof RunTotals, number>;
}

/** Totals of no trajectories. */
export const noTotals: RunTotals = totalsBy(() => 0);

/** Converts the metrics of one trajectory to totals, which can be added up. */
export function totalsOf(metrics: TrajectoryMetrics): RunTotals {
  const values: Partial<Record<keyof RunTotals, number | boolean>> = {
    ...metrics,
    rows: 1,
    compacted: metrics.wasCompacted,
    failed: metrics.outcome === 'summary-failed',
    regionTokens: metrics.region?.tokens ?? 0,
  };
  return totalsBy((name) => Number(values[name] ?? 0));
}

/** The sum of two totals. */
export function addTotals(one: RunTotals, other: RunTotals): RunTotals {
  return totalsBy((name) => one[name] + other[name]);
}

/** `tokensAfter / tokensBefore`; 1 if there were no tokens. */
export function ratioOf({ tokensBefore, tokensAfter }: RunTotals): number {
  return tokensBefore === 0 ? 1 : tokensAfter / tokensBefore;
}
