/** What one strategy contributed. */
export interface StrategyReport {
  /** Messages it edited. */
  readonly count: number;
  readonly reclaimedTokens: number;
}

/** What a prune did, or why it did nothing. Can be serialized as JSON. */
export interface PruneReport {
  /** By strategy name, in the order they ran. If nothing was committed: what they could have reclaimed. */
  readonly strategies: Readonly<Record<string, StrategyReport>>;
  /** Tokens reclaimed in total; 0 if nothing was committed. */
  readonly reclaimedTokens: number;
  /** Tokens the strategies found to reclaim, committed or not. */
  readonly reclaimableTokens: number;
  /** Tokens of the transcript before the prune. */
  readonly tokensBefore: number;
  readonly committed: boolean;
  /** `protected` means: the policy protects most of the tool output, and the rest is below the minimum. */
  readonly reason: 'pruned' | 'nothing-to-prune' | 'protected' | 'below-minimum' | 'gate-closed';
  /** One or two sentences for people. */
  readonly message: string;
}
