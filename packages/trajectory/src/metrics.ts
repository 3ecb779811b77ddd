import type { TurnRange } from './choose-region.ts';

/** What became of a trajectory, in a word. */
export type TrajectoryOutcome =
  | 'under-target'
  | 'compressed'
  /** Over the target, and everything is protected. */
  | 'nothing-between'
  /** Over the target, and what could go is no larger than a summary. */
  | 'middle-too-small'
  /** No summary could be had: unchanged. */
  | 'summary-failed'
  /** What was written would have saved nothing: unchanged. */
  | 'summary-too-large';

/** What happened to one trajectory. Tokens are exact. */
export interface TrajectoryMetrics {
  readonly outcome: TrajectoryOutcome;
  readonly turnsBefore: number;
  readonly turnsAfter: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** `tokensAfter / tokensBefore`; 1 when nothing was done. */
  readonly ratio: number;
  /** The turns of the input that a summary replaced, half-open, and their tokens; `null` when none were. */
  readonly region: (TurnRange & { readonly turns: number; readonly tokens: number }) | null;
  /** Tokens of the inserted turn. */
  readonly summaryTokens: number;
  /** Requests that went out to a summarizing model, retries included. */
  readonly calls: number;
  /** Of these, how many were another try of a failed one. */
  readonly retries: number;
  /** Of these, how many failed. */
  readonly errors: number;
  readonly wasCompressed: boolean;
  /** True for every trajectory that is over the target now, whatever the reason. */
  readonly stillOverLimit: boolean;
  readonly skippedUnderTarget: boolean;
  /** Why no summary could be had; never with conversation text. */
  readonly failure: { readonly class: string; readonly message: string } | null;
  readonly durationMs: number;
}

/** Sums over many trajectories. */
export interface RunTotals {
  /** Rows that were read, the rejected ones included. */
  readonly rows: number;
  /** Rows that are no trajectory: see the reject file. */
  readonly rejected: number;
  readonly compressed: number;
  readonly skippedUnderTarget: number;
  readonly stillOverLimit: number;
  /** Trajectories left as they were because no summary could be had. */
  readonly failed: number;
  readonly turnsBefore: number;
  readonly turnsAfter: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Tokens of what summaries replaced, and of the turns they are in. */
  readonly regionTokens: number;
  readonly summaryTokens: number;
  readonly calls: number;
  readonly retries: number;
  readonly errors: number;
  /** Time spent on the trajectories together; with several at a time, more than what passed on the clock. */
  readonly durationMs: number;
}

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

/** One trajectory as totals. */
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
