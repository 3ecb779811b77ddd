import type { Edit, Message } from '@palimpsest/core';
import { type SealedEdits, sealEdits, unsealEdits } from '../persistence/seal.ts';

/** The edits of a checkpoint: at hand, or as they came from a store and readable only beside their conversation. */
export class CheckpointPlan {
  #edits: readonly Edit[] | null;
  /** What is stored; `null` when that would take a secret with it. */
  readonly sealed: SealedEdits | null;

  private constructor(edits: readonly Edit[] | null, sealed: SealedEdits | null) {
    this.#edits = edits;
    this.sealed = sealed;
  }

  /** @param covered the messages the edits are about */
  static of(edits: readonly Edit[], covered: readonly Message[], redact: (text: string) => string): CheckpointPlan {
    return new CheckpointPlan(edits, sealEdits(edits, covered, redact));
  }

  static restored(sealed: SealedEdits): CheckpointPlan {
    return new CheckpointPlan(null, sealed);
  }

  /** @returns `null` when what was stored does not belong to these messages */
  edits(covered: readonly Message[]): readonly Edit[] | null {
    this.#edits ??= this.sealed && unsealEdits(this.sealed, covered);
    return this.#edits;
  }
}
