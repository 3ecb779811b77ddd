/** The share of one strategy in a prune. */
export interface StrategyReport {
  /** Number of messages that the strategy edited. */
  readonly count: number;
  readonly reclaimedTokens: number;
}

/** What a prune did, or why it did nothing. Can be serialized as JSON. */
export interface PruneReport {
  /**
   * Results by strategy name, in the order of execution. If nothing was committed: what the strategies would have done.
   */
  readonly strategies: Readonly<Record<string, StrategyReport>>;
  /** Tokens reclaimed in total; 0 if nothing was committed. */
  readonly reclaimedTokens: number;
  /** Tokens that the strategies could reclaim, committed or not. */
  readonly reclaimableTokens: number;
  /** Tokens of the transcript before the prune. */
  readonly tokensBefore: number;
  readonly committed: boolean;
  /** `protected`: the policy protects most of the tool output, and the rest is below the minimum. */
  readonly reason: 'pruned' | 'nothing-to-prune' | 'protected' | 'below-minimum' | 'gate-closed';
  /** One or two sentences for a user. */
  readonly message: string;
}
