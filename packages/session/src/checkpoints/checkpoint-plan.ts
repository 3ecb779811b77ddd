import type { Edit, ForeignHandoffReader, Message } from '@palimpsest/core';
import type { SealedText } from '../conversation/sealed-text.ts';
import { checkRestoredPlan } from './restored-plan.ts';
import { sealEdits, unsealEdits } from './sealed-edits.ts';

/** The edits of a checkpoint. Edits from a store are sealed: they can be read only together with their conversation. */
export class CheckpointPlan {
  #edits: readonly Edit[] | null;
  /** Checks edits from a store. */
  readonly #check: (edits: readonly Edit[], covered: readonly Message[]) => readonly Edit[];
  /** False for a plan from a store, until a check shows that it keeps the current task. */
  isTrusted: boolean;
  /** The form that is stored; `null` when it would contain a secret. */
  readonly sealed: SealedText | null;

  private constructor(
    edits: readonly Edit[] | null,
    sealed: SealedText | null,
    check: (edits: readonly Edit[], covered: readonly Message[]) => readonly Edit[],
  ) {
    this.#edits = edits;
    this.#check = check;
    this.isTrusted = edits !== null;
    this.sealed = sealed;
  }

  /** @param covered the messages the edits are about */
  static of(edits: readonly Edit[], covered: readonly Message[], redact: (text: string) => string): CheckpointPlan {
    return new CheckpointPlan(edits, sealEdits(edits, covered, redact), (own) => own);
  }

  /**
   * @param signed true when the store is signed with the host's key
   * @param reader `host.reader`
   */
  static restore(sealed: SealedText, signed: boolean, reader: ForeignHandoffReader): CheckpointPlan {
    return new CheckpointPlan(null, sealed, (edits, covered) => checkRestoredPlan(edits, covered, signed, reader));
  }

  /**
   * @returns `null` when the stored plan does not belong to these messages
   * @throws {PlanRefused} when the stored plan changes the user's words or the system prompt
   */
  edits(covered: readonly Message[]): readonly Edit[] | null {
    if (this.#edits) return this.#edits;
    const stored = this.sealed && unsealEdits(this.sealed, covered);
    this.#edits = stored && this.#check(stored, covered);
    return this.#edits;
  }
}
