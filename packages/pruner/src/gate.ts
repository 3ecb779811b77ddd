/** A prune that would be worth its minimum, in tokens, for a gate to judge. */
export interface GateProposal {
  /** The transcript as it is. */
  readonly totalTokens: number;
  /** What the edits take away. */
  readonly reclaimedTokens: number;
  /** Tokens before the first edited message: what a prompt cache can still be used for. */
  readonly prefixTokens: number;
}

export interface GateDecision {
  readonly commit: boolean;
  /** One sentence for a person. */
  readonly message: string;
}

/** Decides whether a prune is carried out. Pure. */
export type Gate = (proposal: GateProposal) => GateDecision;
