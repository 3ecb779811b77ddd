/** A prune that reaches its minimum, to be decided by a gate. All numbers are in tokens. */
export interface GateProposal {
  /** Tokens of the transcript before the prune. */
  readonly totalTokens: number;
  /** Tokens that the edits would remove. */
  readonly reclaimedTokens: number;
  /** Tokens before the first edited message: the part that stays valid in a prompt cache. */
  readonly prefixTokens: number;
}

/** A gate's answer. */
export interface GateDecision {
  readonly commit: boolean;
  /** One sentence for a user. */
  readonly message: string;
}

/** Decides whether a prune is committed. Must be pure. */
export type Gate = (proposal: GateProposal) => GateDecision;
