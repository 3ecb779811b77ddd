import { isSystem, type Message } from '@palimpsest/core';
import { fingerprint } from '@palimpsest/core/authoring';
import type { Intake } from '../intake/intake.ts';
import type { RequestInput } from './request-input.ts';
import type { SentRequest } from './sent-request.ts';

/** The conversation of a session. */
export interface KnownConversation {
  /** Identifies its first message. */
  readonly first: string;
  /** Number of messages. */
  readonly length: number;
}

/** The last requests of a session. Distinguishes the session's conversation from others on the same client. */
export class RecentRequests {
  #lastInput: RequestInput | null = null;
  #lastSent: SentRequest | null = null;
  /** The conversation as another process stored it. */
  #stored: KnownConversation | null = null;
  #isOld = false;
  /** The request for which a compaction is being planned. */
  #planning: RequestInput | null = null;
  readonly #sent: WeakMap<object, SentRequest> = new WeakMap();

  get lastInput(): RequestInput | null {
    return this.#lastInput;
  }

  /** True if another process changed the state since the last request here. */
  get isOld(): boolean {
    return this.#isOld;
  }

  get lastSent(): SentRequest | null {
    return this.#lastSent;
  }

  /** The request for which a compaction is planned now; otherwise the last one. */
  get compacting(): RequestInput | null {
    return this.#planning ?? this.#lastInput;
  }

  /** The caller's messages of the last request. */
  get lastSource(): readonly Message[] {
    return this.#lastInput?.intake.source ?? [];
  }

  /** What was sent for a prepared request; `undefined` for a request of another session. */
  findSent(prepared: object): SentRequest | undefined {
    return this.#sent.get(prepared);
  }

  noteSent(prepared: object, sent: SentRequest): void {
    this.#sent.set(prepared, sent);
  }

  /** Records the newest request of the session's conversation. */
  noteLast(input: RequestInput, sent: SentRequest | null = this.#lastSent): void {
    // The signal is not kept: a later operation must not be cancelled by it.
    this.#lastInput = { ...input, signal: undefined };
    this.#lastSent = sent;
    this.#isOld = false;
  }

  /** Runs `work`, which plans a compaction for `input`. */
  async duringPlanning<T>(input: RequestInput, work: () => Promise<T>): Promise<T> {
    this.#planning = input;
    try {
      return await work();
    } finally {
      if (this.#planning === input) this.#planning = null;
    }
  }

  /**
   * True for a short request outside the session's conversation, such as one for a title or a summary. It begins with
   * another message and is shorter.
   */
  isSideRequest({ messages }: Intake): boolean {
    // A plan in the background may be about an earlier conversation than the last request.
    const known = [this.#planning, this.#lastInput].flatMap((input) => (input ? [input.intake.messages] : []));
    const stored = known.length === 0 ? this.#stored : null;
    if (stored) return messages.length < stored.length && firstMessageKey(messages) !== stored.first;
    const isShorter = known.some((own) => messages.length < own.length);
    return isShorter && known.every((own) => !this.#isSameConversation(messages, own));
  }

  /** Keys of the first messages of a new conversation and of the session's own; `null` when they are the same one. */
  otherConversation({ messages }: Intake): { readonly other: string; readonly own: string } | null {
    const last = this.#lastInput?.intake.messages;
    if (!last || this.#isSameConversation(messages, last)) return null;
    return { other: firstMessageKey(messages), own: firstMessageKey(last) };
  }

  /** What another process needs to tell the conversation from others; `null` before the first request. */
  snapshot(): KnownConversation | null {
    const messages = this.#lastInput?.intake.messages;
    return messages ? { first: firstMessageKey(messages), length: messages.length } : this.#stored;
  }

  /** Takes over what another process stored. */
  restore(stored: KnownConversation | null): void {
    this.#stored = stored;
    this.#isOld = true;
  }

  forget(): void {
    this.#lastInput = null;
    this.#lastSent = null;
    this.#stored = null;
  }

  #isSameConversation(messages: readonly Message[], last: readonly Message[]): boolean {
    const key = firstMessageKey(messages);
    return key === firstMessageKey(last) || key === firstMessageKey(this.#lastSent?.request.messages ?? last);
  }
}

function firstMessageKey(messages: readonly Message[]): string {
  const first = messages.find((message) => !isSystem(message));
  return first ? fingerprint([first]) : '';
}
