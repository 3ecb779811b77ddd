import { PalimpsestError } from '../errors.ts';
import { isSystem, type Message } from '../messages/message.ts';
import { linkToOriginal } from '../messages/originals.ts';
import type { Transcript } from '../transcript/transcript.ts';
import type { Edit, EditReason, Inserted, ReplaceEdit, RewriteEdit } from './edit.ts';
import { toInsertedMessage } from './inserted-message.ts';

/**
 * A plan under construction, shared by the phases of an engine and relative to the original transcript. A second
 * rewrite of a message is applied to the result of the first. A replace supersedes the rewrites in its range. A second
 * replace of a group is a conflict.
 */
export class Draft {
  readonly transcript: Transcript;
  readonly #rewrites = new Map<number, RewriteEdit>();
  readonly #currents = new Map<number, Message>();
  readonly #replaces: ReplaceEdit[] = [];
  /** By group: 1 if it has been replaced. */
  readonly #taken: Uint8Array;
  /** System messages that are removed together with their groups. */
  readonly #summarized = new Set<number>();
  #tokens: number;

  constructor(transcript: Transcript) {
    this.transcript = transcript;
    this.#taken = new Uint8Array(transcript.groups.length);
    this.#tokens = transcript.totalTokens;
  }

  /** Tokens of the messages as the plan leaves them. */
  get tokens(): number {
    return this.#tokens;
  }

  /** True while the plan is empty. */
  get isEmpty(): boolean {
    return this.#rewrites.size === 0 && this.#replaces.length === 0;
  }

  /** The message as the caller passed it; summarizers read this one. */
  original(index: number): Message {
    return this.transcript.messages[index]!;
  }

  /** The message as the plan leaves it, or `null` once it is replaced. */
  current(index: number): Message | null {
    if (this.#isGone(index)) return null;
    return this.#currents.get(index) ?? this.original(index);
  }

  /** Tokens of a message as the plan leaves it; 0 once it is replaced. */
  currentTokens(index: number): number {
    if (this.#isGone(index)) return 0;
    const current = this.#currents.get(index);
    return current ? this.transcript.countMessage(current, index) : this.transcript.tokens(index);
  }

  /**
   * Sets fields of one message.
   * @returns tokens reclaimed, negative when it grew
   * @throws {PalimpsestError} `PLAN_CONFLICT` when the message is already replaced
   */
  rewrite(at: number, set: RewriteEdit['set'], reason: EditReason): number {
    const current = this.current(at);
    if (!current)
      throw new PalimpsestError('PLAN_CONFLICT', `Message ${at} is replaced already and cannot be rewritten.`, { at });
    const before = this.currentTokens(at);
    const earlier = this.#rewrites.get(at);
    this.#currents.set(at, withRewrite(current, set));
    this.#rewrites.set(at, {
      kind: 'rewrite',
      at,
      set: earlier ? { ...earlier.set, ...set } : set,
      reasons: [...(earlier?.reasons ?? []), reason],
    });
    const reclaimed = before - this.currentTokens(at);
    this.#tokens -= reclaimed;
    return reclaimed;
  }

  /** A new draft with the same replaces, in which no message is rewritten. */
  withoutRewrites(): Draft {
    const draft = new Draft(this.transcript);
    for (const { groups, with: inserted, reasons, summarizedSystems } of this.#replaces)
      draft.replace(groups, inserted, reasons[0]!, summarizedSystems);
    return draft;
  }

  /**
   * Replaces the groups `[from, to)` with the given handoffs; `from === to` only inserts. System messages in these
   * groups stay, except those in `summarizedSystems`.
   * @returns tokens reclaimed, negative when it grew
   * @throws {PalimpsestError} `PLAN_CONFLICT` when one of the groups is already replaced, or something was already
   *   inserted at `from`
   */
  replace(
    groups: readonly [from: number, to: number],
    inserted: readonly Inserted[],
    reason: EditReason,
    summarizedSystems: readonly number[] = [],
  ): number {
    const [from, to] = groups;
    const overlaps = (edit: ReplaceEdit): boolean => from < edit.groups[1] && edit.groups[0] < to;
    const sameGap = (edit: ReplaceEdit): boolean => from === to && edit.groups[0] === from && edit.groups[1] === to;
    if (this.#replaces.some((edit) => overlaps(edit) || sameGap(edit)))
      throw new PalimpsestError('PLAN_CONFLICT', `Groups ${from} to ${to} are replaced already, at least in part.`, {
        groups,
      });
    for (const at of summarizedSystems) this.#summarized.add(at);
    let reclaimed = 0;
    for (let group = from; group < to; group++) {
      const range = this.transcript.groups[group]!;
      for (let index = range.from; index < range.to; index++) {
        if (isSystem(this.original(index)) && !this.#summarized.has(index)) continue;
        reclaimed += this.currentTokens(index);
        this.#currents.delete(index);
        this.#rewrites.delete(index);
      }
    }
    this.#taken.fill(1, from, to);
    for (const one of inserted)
      reclaimed -= this.transcript.counter.countMessage(toInsertedMessage(one, this.transcript.messages) as Message);
    this.#replaces.push({
      kind: 'replace',
      groups: [from, to],
      with: inserted,
      ...(summarizedSystems.length > 0 ? { summarizedSystems } : {}),
      reasons: [reason],
    });
    this.#tokens -= reclaimed;
    return reclaimed;
  }

  #isGone(index: number): boolean {
    if (this.#taken[this.transcript.groupOf(index)] !== 1) return false;
    return !isSystem(this.original(index)) || this.#summarized.has(index);
  }

  /** The plan so far, in transcript order. */
  edits(): Edit[] {
    // A replace comes before the message at which it begins, and before a rewrite of that message.
    const start = (edit: Edit): number =>
      edit.kind === 'rewrite'
        ? edit.at
        : (this.transcript.groups[edit.groups[0]]?.from ?? this.transcript.length) - 0.5;
    const end = (edit: Edit): number => (edit.kind === 'rewrite' ? 0 : edit.groups[1]);
    return [...this.#rewrites.values(), ...this.#replaces].sort((a, b) => start(a) - start(b) || end(a) - end(b));
  }
}

// A pure cache: when one phase evaluates a rewrite and another applies it, the rewritten message is created and counted
// only once. The caller never gets this object, because `apply` makes its own copies.
const copies = new WeakMap<RewriteEdit['set'], { readonly from: Message; readonly copy: Message }>();

/**
 * Returns the message with a rewrite applied, for evaluation and counting. Returns the same object for the same
 * rewrite.
 */
export function withRewrite(message: Message, set: RewriteEdit['set']): Message {
  const known = copies.get(set);
  if (known?.from === message) return known.copy;
  const copy = linkToOriginal({ ...message, ...set }, message);
  copies.set(set, { from: message, copy });
  return copy;
}
