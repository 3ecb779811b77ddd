import type { Edit, Message } from '@palimpsest/core';
import { checkRestoredPlan } from './restored-plan.ts';
import { type SealedEdits, sealEdits, unsealEdits } from './sealed-edits.ts';

/** The edits of a checkpoint. Edits from a store are sealed: they can be read only together with their conversation. */
export class CheckpointPlan {
  #edits: readonly Edit[] | null;
  readonly #signed: boolean;
  /** False for a plan from a store, until a check shows that it keeps the current request. */
  isTrusted: boolean;
  /** The form that is stored; `null` when it would contain a secret. */
  readonly sealed: SealedEdits | null;

  private constructor(edits: readonly Edit[] | null, sealed: SealedEdits | null, signed: boolean) {
    this.#edits = edits;
    this.#signed = signed;
    this.isTrusted = edits !== null;
    this.sealed = sealed;
  }

  /** @param covered the messages the edits are about */
  static of(edits: readonly Edit[], covered: readonly Message[], redact: (text: string) => string): CheckpointPlan {
    return new CheckpointPlan(edits, sealEdits(edits, covered, redact), true);
  }

  /** @param signed true when the store is signed with the host's key */
  static restored(sealed: SealedEdits, signed: boolean): CheckpointPlan {
    return new CheckpointPlan(null, sealed, signed);
  }

  /**
   * @returns `null` when the stored plan does not belong to these messages
   * @throws {PlanRefused} when the stored plan changes the user's words or the system prompt
   */
  edits(covered: readonly Message[]): readonly Edit[] | null {
    if (this.#edits) return this.#edits;
    const stored = this.sealed && unsealEdits(this.sealed, covered);
    this.#edits = stored && checkRestoredPlan(stored, covered, this.#signed);
    return this.#edits;
  }
}
