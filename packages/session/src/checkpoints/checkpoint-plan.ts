import {
  type Edit,
  type ForeignHandoffReader,
  type Inserted,
  type LineSource,
  type Message,
  toolCallInput,
  toolCalls,
} from '@palimpsest/core';
import { jsonText } from '@palimpsest/core/authoring';
import { addTexts, baseText, type SealedText, sealText, unsealText } from '../conversation/sealed-text.ts';
import { checkRestoredPlan } from './restored-plan.ts';

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

/**
 * Seals a plan for storage: what it copies from the conversation is stored as references, and a secret is not stored at all. Other
 * parts of the state, such as an engine's last summary, do contain words of the user.
 * @param messages the messages the plan covers
 * @param redact masks secrets; if it changes a piece that is not in the conversation, the plan contains a secret
 * @returns `null` when the plan cannot be stored without a secret
 */
export function sealEdits(
  edits: readonly Edit[],
  messages: readonly Message[],
  redact: (text: string) => string,
): SealedText | null {
  return sealText(jsonText(storeSources(edits)), textOf(messages), redact);
}

/** Restores a sealed plan with its conversation; `null` when it is damaged or belongs to another conversation. */
export function unsealEdits(sealed: SealedText, messages: readonly Message[]): Edit[] | null {
  const plan = unsealText(sealed, textOf(messages));
  try {
    return plan === null ? null : restoreSources(JSON.parse(plan));
  } catch {
    return null;
  }
}

/** All text of the messages that their fingerprint covers. */
function textOf(messages: readonly Message[]): string {
  const texts: string[] = [];
  for (const message of messages) {
    const { content } = message;
    if (typeof content === 'string') texts.push(content);
    // Includes picture data, which is the longest.
    else if (Array.isArray(content)) addTexts(content, texts);
    for (const call of toolCalls(message)) texts.push(call.id, toolCallInput(call));
    if (message.function_call) texts.push(message.function_call.arguments ?? '');
  }
  return baseText(texts);
}

/** A plan whose handoffs have the sources of their lines as text. */
type StoredEdits = readonly unknown[];

/**
 * Writes the sources of lines as differences. They take a tenth of the room and, if a later handoff has the same lines at another
 * place, the same text.
 */
export function storeSources(edits: readonly Edit[]): StoredEdits {
  return changeSources(edits, (sources) => {
    let line = 0;
    let first = 0;
    const rows = sources.map(({ line: at, from }) => {
      const row = [at - line, ...from.map((index, place) => index - (place === 0 ? first : from[place - 1]!))];
      line = at;
      first = from[0]!;
      return row.join(' ');
    });
    return rows.join(',');
  });
}

/** Reverses {@link storeSources}. The result is not checked. */
export function restoreSources(edits: StoredEdits): Edit[] {
  return changeSources(edits as readonly Edit[], (text) => {
    let line = 0;
    let first = 0;
    return String(text)
      .split(',')
      .map((row): LineSource => {
        const [down = 0, ...steps] = row.split(' ').map(Number);
        line += down;
        let index = first;
        const from = steps.map((step) => {
          index += step;
          return index;
        });
        first = from[0] ?? first;
        return { line, from };
      });
  }) as Edit[];
}

function changeSources(edits: readonly Edit[], change: (sources: readonly LineSource[]) => unknown): unknown[] {
  const withChange = (inserted: Inserted): object =>
    inserted.sources ? { ...inserted, sources: change(inserted.sources) } : inserted;
  return edits.map((edit) => (edit.kind === 'replace' ? { ...edit, with: edit.with.map(withChange) } : edit));
}
