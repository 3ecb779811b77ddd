/** One phase of a compaction. */
export interface PhaseReport {
  readonly name: string;
  readonly durationMs: number;
  readonly reclaimedTokens: number;
  /** Number of messages that the phase rewrote or replaced. */
  readonly messages: number;
}

/** Why a summary failed. Contains no conversation text. */
export interface FailureReport {
  /** The class of the failure: `access`, `network`, `transient`, `missing-model`, `bad-output`, `overflow`, `unknown`, `cancelled`. */
  readonly class: string;
  readonly message: string;
  /**
   * Milliseconds until automatic model calls are tried again; 0 for no wait. A list gives the wait after the first,
   * second, ... consecutive failure.
   */
  readonly cooldownMs: number | readonly number[];
  /** The summarizer that failed. */
  readonly summarizer?: string | undefined;
}

/** A planner's notes on its plan for the report; core adds the counts. */
export interface PlanNotes {
  /** Explains to a user what was done, or why nothing was. */
  readonly reason?: string | undefined;
  readonly phases?: readonly PhaseReport[] | undefined;
  readonly modelCalls?: number | undefined;
  readonly summarizedBy?: string | null | undefined;
  readonly summaryTokens?: number | undefined;
  readonly warnings?: readonly string[] | undefined;
  readonly failure?: FailureReport | null | undefined;
  /** The auxiliary summarizer's failure, if another summarizer was used instead. */
  readonly auxiliaryFailure?: FailureReport | null | undefined;
}

/** Statistics of one compaction. Token counts are estimates for the whole prompt, including overhead. */
export interface CompressReport {
  readonly engine: string;
  readonly reason: string;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Tokens above the target; 0 if the target was met or none was given. */
  readonly overTargetTokens: number;
  /** Number of messages in the plan's basis; see `CompressResult.basis`. */
  readonly messagesBefore: number;
  readonly messagesAfter: number;
  /** Number of messages by outcome: `kept` to `dropped` add up to `messagesBefore`. */
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
  /** The auxiliary summarizer's failure, if the main model was used instead; otherwise `null`. */
  readonly auxiliaryFailure: FailureReport | null;
  readonly durationMs: number;
  /** The report in a few sentences for a user: reason, savings, losses and cost. */
  readonly message: string;
}
