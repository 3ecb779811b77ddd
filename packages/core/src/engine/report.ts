/** How a compression ended. `degraded`: shrunk, but without the requested summary. `aborted`: untouched, and `failure` says why. */
export type Outcome = 'compressed' | 'degraded' | 'unchanged' | 'aborted';

/** One phase of a compression. */
export interface PhaseReport {
  readonly name: string;
  readonly durationMs: number;
  readonly reclaimedTokens: number;
  /** Number of messages it rewrote or replaced. */
  readonly messages: number;
}

/** Why a summary failed. Contains no conversation text. */
export interface FailureReport {
  /** The class of the failure: `access`, `network`, `transient`, `missing-model`, `bad-output`, `overflow`, `unknown`, `cancelled`. */
  readonly class: string;
  readonly message: string;
  /** Milliseconds until automatic model calls are tried again; 0 for no wait. A list holds the wait after the first failure in a row, the second, and so on. */
  readonly cooldownMs: number | readonly number[];
  /** The summarizer that failed. */
  readonly summarizer?: string | undefined;
}

/** A planner's notes on its plan for the report; core adds the counts. */
export interface PlanNotes {
  /** What was done, or why nothing was, for a user. */
  readonly reason?: string | undefined;
  readonly phases?: readonly PhaseReport[] | undefined;
  readonly modelCalls?: number | undefined;
  readonly summarizedBy?: string | null | undefined;
  readonly summaryTokens?: number | undefined;
  readonly warnings?: readonly string[] | undefined;
  readonly failure?: FailureReport | null | undefined;
  /** The failure of an auxiliary summarizer that another one replaced. */
  readonly auxiliaryFailure?: FailureReport | null | undefined;
}

/** The result of one compression in figures. Token figures are estimates for the whole prompt, including overhead. */
export interface CompressReport {
  readonly engine: string;
  readonly reason: string;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Tokens by which the target was missed; 0 if it was met or none was given. */
  readonly overTargetTokens: number;
  /** Number of messages that the plan is relative to; see `CompressResult.basis`. */
  readonly messagesBefore: number;
  readonly messagesAfter: number;
  /** Number of source messages by outcome; the sum is `messagesBefore`. */
  readonly kept: number;
  readonly rewritten: number;
  readonly carried: number;
  readonly summarized: number;
  readonly dropped: number;
  readonly inserted: number;
  readonly phases: readonly PhaseReport[];
  readonly modelCalls: number;
  readonly summarizedBy: string | null;
  readonly summaryTokens: number;
  readonly warnings: readonly string[];
  readonly failure: FailureReport | null;
  /** The failure of an auxiliary summarizer that the main model replaced. */
  readonly auxiliaryFailure: FailureReport | null;
  readonly durationMs: number;
  /** The report in a few sentences for a user: reason, savings, losses and cost. */
  readonly message: string;
}
