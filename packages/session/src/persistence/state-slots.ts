import { type Envelope, readEnvelope, writeEnvelope } from './envelope.ts';
import type { SessionStore } from './session-store.ts';

/** What a store held of a session. */
export interface Loaded {
  /** The newest state that is whole; `null` when there is none. */
  readonly body: string | null;
  /** What was found besides, in words; `null` when nothing was wrong. */
  readonly problem: string | null;
}

/**
 * Two slots for the state of one session, written in turn: a write that never ends, or tears, leaves the other one with
 * the state before. Works over any store, because it asks for no transaction.
 */
export class StateSlots {
  readonly #store: SessionStore;
  readonly #keys: readonly [string, string];
  #sequence = 0;
  #next: 0 | 1 = 0;

  constructor(store: SessionStore, key: string) {
    this.#store = store;
    this.#keys = [`${key}:0`, `${key}:1`];
  }

  async read(): Promise<Loaded> {
    const found = await Promise.all(this.#keys.map(async (key) => readEnvelope(await this.#store.getItem(key))));
    const damaged = found.filter((slot) => slot === 'damaged').length;
    const whole = found.map((slot) => (slot === 'damaged' ? null : slot));
    const newest = whole.reduce<Envelope | null>(
      (best, slot) => (slot && (!best || slot.sequence > best.sequence) ? slot : best),
      null,
    );
    this.#sequence = newest?.sequence ?? 0;
    this.#next = newest && whole[0] === newest ? 1 : 0;
    if (damaged === 0) return { body: newest?.body ?? null, problem: null };
    return newest
      ? { body: newest.body, problem: 'The newest write was torn or changed by others; the state before it is used.' }
      : { body: null, problem: 'What is stored under this session is no state of one, or was cut off.' };
  }

  async write(body: string): Promise<void> {
    const slot = this.#next;
    const sequence = this.#sequence + 1;
    await this.#store.setItem(this.#keys[slot], writeEnvelope({ sequence, body }));
    this.#sequence = sequence;
    this.#next = slot === 0 ? 1 : 0;
  }
}
