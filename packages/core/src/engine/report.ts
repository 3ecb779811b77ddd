/** How a compression ended. `degraded`: shrunk, but without the summary that was wanted. `aborted`: untouched, and `failure` says why. */
export type Outcome = 'compressed' | 'degraded' | 'unchanged' | 'aborted';

/** One phase of a compression. */
export interface PhaseReport {
  readonly name: string;
  readonly durationMs: number;
  readonly reclaimedTokens: number;
  /** Messages it rewrote or replaced. */
  readonly messages: number;
}

/** Why a summary could not be had; never with conversation text. */
export interface FailureReport {
  /** The class of the failure: `access`, `network`, `transient`, `missing-model`, `bad-output`, `overflow`, `unknown`, `cancelled`. */
  readonly class: string;
  readonly message: string;
  /** Milliseconds until automatic model calls are tried again; 0 for none. A list is a ladder: the wait after the first failure in a row, the second, and so on. */
  readonly cooldownMs: number | readonly number[];
  /** The writer that failed. */
  readonly summarizer?: string | undefined;
}

/** What a planner tells about its plan; core adds what it can count itself. */
export interface PlanNotes {
  /** Why nothing was done, or what was, in words for a user. */
  readonly reason?: string | undefined;
  readonly phases?: readonly PhaseReport[] | undefined;
  readonly modelCalls?: number | undefined;
  readonly summarizedBy?: string | null | undefined;
  readonly summaryTokens?: number | undefined;
  readonly warnings?: readonly string[] | undefined;
  readonly failure?: FailureReport | null | undefined;
  /** The failure of an auxiliary summarizer whose work another one did. */
  readonly auxiliaryFailure?: FailureReport | null | undefined;
}

/** What one compression did. Token figures are estimates of the whole prompt, overhead included. */
export interface CompressReport {
  readonly engine: string;
  readonly reason: string;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Of the target, how many tokens it missed; 0 when it was met or none was given. */
  readonly overTargetTokens: number;
  readonly messagesBefore: number;
  readonly messagesAfter: number;
  /** Source messages by outcome; together they are `messagesBefore`. */
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
  /** The failure of an auxiliary summarizer whose work the main model did. */
  readonly auxiliaryFailure: FailureReport | null;
  readonly durationMs: number;
  /** All of it in a few sentences for a user: why, what it saved, what it cost, what was lost. */
  readonly message: string;
}
