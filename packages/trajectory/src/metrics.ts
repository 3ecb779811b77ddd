import type { TurnRange } from './choose-region.ts';

/** The outcome of a trajectory. */
export type TrajectoryOutcome =
  | 'under-target'
  | 'compressed'
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
  readonly wasCompressed: boolean;
  /** True if the trajectory is over the target afterwards, for any reason. */
  readonly stillOverLimit: boolean;
  readonly skippedUnderTarget: boolean;
  /** Why the summary failed, without conversation text; `null` if it did not fail. */
  readonly failure: { readonly class: string; readonly message: string } | null;
  readonly durationMs: number;
}

/** Totals of many trajectories. */
export interface RunTotals {
  /** Rows read, including rejected ones. */
  readonly rows: number;
  /** Rows that are not trajectories. They are in the reject file. */
  readonly rejected: number;
  readonly compressed: number;
  readonly skippedUnderTarget: number;
  readonly stillOverLimit: number;
  /** Trajectories that are unchanged because their summary failed. */
  readonly failed: number;
  readonly turnsBefore: number;
  readonly turnsAfter: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Tokens of the replaced turns. */
  readonly regionTokens: number;
  /** Tokens of the inserted turns. */
  readonly summaryTokens: number;
  readonly calls: number;
  readonly retries: number;
  readonly errors: number;
  /** Sum of the times of all trajectories in milliseconds. Longer than the elapsed time if they overlap. */
  readonly durationMs: number;
}

/** Totals of no trajectories. */
export const noTotals: RunTotals = {
  rows: 0,
  rejected: 0,
  compressed: 0,
  skippedUnderTarget: 0,
  stillOverLimit: 0,
  failed: 0,
  turnsBefore: 0,
  turnsAfter: 0,
  tokensBefore: 0,
  tokensAfter: 0,
  regionTokens: 0,
  summaryTokens: 0,
  calls: 0,
  retries: 0,
  errors: 0,
  durationMs: 0,
};

/** Converts the metrics of one trajectory to totals, which can be added up. */
export function totalsOf(metrics: TrajectoryMetrics): RunTotals {
  return {
    rows: 1,
    rejected: 0,
    compressed: Number(metrics.wasCompressed),
    skippedUnderTarget: Number(metrics.skippedUnderTarget),
    stillOverLimit: Number(metrics.stillOverLimit),
    failed: Number(metrics.outcome === 'summary-failed'),
    turnsBefore: metrics.turnsBefore,
    turnsAfter: metrics.turnsAfter,
    tokensBefore: metrics.tokensBefore,
    tokensAfter: metrics.tokensAfter,
    regionTokens: metrics.region?.tokens ?? 0,
    summaryTokens: metrics.summaryTokens,
    calls: metrics.calls,
    retries: metrics.retries,
    errors: metrics.errors,
    durationMs: metrics.durationMs,
  };
}

/** The sum of two totals. */
export function addTotals(one: RunTotals, other: RunTotals): RunTotals {
  return Object.fromEntries(
    Object.keys(noTotals).map((name) => [name, one[name as keyof RunTotals] + other[name as keyof RunTotals]]),
  ) as unknown as RunTotals;
}
