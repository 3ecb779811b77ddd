import { type Envelope, readEnvelope, writeEnvelope } from './envelope.ts';
import type { SessionStore } from './session-store.ts';
import type { Sign } from './sign.ts';

/** The content of a store for one session. */
export interface Loaded {
  /** The newest undamaged state, or `null`. */
  readonly body: string | null;
  /** What was wrong with the stored data; `null` when nothing was. */
  readonly problem: string | null;
}

interface Newest extends Envelope {
  readonly slot: 0 | 1;
}

/**
 * Stores the state of one session in two slots, written alternately: a torn or hanging write leaves the previous state
 * in the other slot. Needs no transactions, so any store works. Each write reads both slots first, so it never replaces
 * the newest state and detects other writers.
 */
export class StateSlots {
  readonly #store: SessionStore;
  readonly #keys: readonly [string, string];
  readonly #sign: Sign;
  readonly #writer: string = globalThis.crypto.randomUUID().replaceAll('-', '');
  /** The newest write this session has read or made. */
  #known: { readonly sequence: number; readonly writer: string; readonly slot: 0 | 1 } | null = null;

  constructor(store: SessionStore, key: string, sign: Sign) {
    this.#store = store;
    this.#keys = [`${key}:0`, `${key}:1`];
    this.#sign = sign;
  }

  async read(): Promise<Loaded> {
    const { newest, damaged } = await this.#readSlots();
    this.#known = newest;
    if (!damaged) return { body: newest?.body ?? null, problem: null };
    return newest
      ? { body: newest.body, problem: 'The newest write was torn or changed by others. The previous state is used.' }
      : {
          body: null,
          problem: 'The stored data is not the state of a session, was cut off, or was signed with another key.',
        };
  }

  /** @returns the id of another writer that has written since this session's last read or write; otherwise `null` */
  async write(body: string): Promise<string | null> {
    const { newest } = await this.#readSlots();
    const known = this.#known;
    const intruder = newest && this.#isForeign(newest) ? newest.writer : null;
    const before = newest ?? known;
    const slot = before?.slot === 0 ? 1 : 0;
    const sequence = Math.max(newest?.sequence ?? 0, known?.sequence ?? 0) + 1;
    const envelope = { sequence, writer: this.#writer, body };
    await this.#store.setItem(this.#keys[slot], await writeEnvelope(envelope, this.#sign));
    this.#known = { sequence, writer: this.#writer, slot };
    return intruder;
  }

  /** True for a write by another session object. A late write of this session, after a timeout, is not foreign. */
  #isForeign({ sequence, writer }: Newest): boolean {
    const known = this.#known;
    if (writer === this.#writer) return false;
    if (!known) return true;
    return sequence > known.sequence || (sequence === known.sequence && writer !== known.writer);
  }

  async #readSlots(): Promise<{ readonly newest: Newest | null; readonly damaged: boolean }> {
    const found = await Promise.all(
      this.#keys.map(async (key) => readEnvelope(await this.#store.getItem(key), this.#sign)),
    );
    let newest: Newest | null = null;
    for (const slot of [0, 1] as const) {
      const envelope = found[slot];
      if (!envelope || envelope === 'damaged') continue;
      if (!newest || envelope.sequence > newest.sequence) newest = { ...envelope, slot };
    }
    return { newest, damaged: found.includes('damaged') };
  }
}
