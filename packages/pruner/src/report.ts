/** What one strategy contributed. */
export interface StrategyReport {
  /** Messages it edited. */
  readonly count: number;
  readonly reclaimedTokens: number;
}

/** What a prune did, or why it did nothing. Tokens. JSON. */
export interface PruneReport {
  /** By strategy name, in the order they ran. Also filled when nothing was committed: what there would have been to take. */
  readonly strategies: Readonly<Record<string, StrategyReport>>;
  /** Reclaimed by all of them together; 0 when nothing was committed. */
  readonly reclaimedTokens: number;
  /** What the strategies found, committed or not. */
  readonly reclaimableTokens: number;
  /** The transcript before. */
  readonly tokensBefore: number;
  readonly committed: boolean;
  /** `protected`: the policy protects most of the tool output, and the rest is below the minimum. */
  readonly reason: 'pruned' | 'nothing-to-prune' | 'protected' | 'below-minimum' | 'gate-closed';
  /** One or two sentences for a person. */
  readonly message: string;
}
