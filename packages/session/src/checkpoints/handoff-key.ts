/** The key that signs the handoffs of a session: derived from the host's key, or random and stored with the state. */
export class HandoffKey {
  #key: string;
  readonly #isDerived: boolean;

  constructor(hostKey: string | undefined, sessionId: string) {
    this.#isDerived = hostKey !== undefined;
    this.#key = this.#isDerived ? `${hostKey} ${sessionId}` : randomKey();
  }

  get value(): string {
    return this.#key;
  }

  /** The key to store; `undefined` for a derived key, which must not be stored with the data it protects. */
  get stored(): string | undefined {
    return this.#isDerived ? undefined : this.#key;
  }

  /** Takes over a stored key. A derived key stays. */
  restore(stored: string | undefined): void {
    if (!this.#isDerived && stored !== undefined) this.#key = stored;
  }
}

/** 256 random bits, in hexadecimal. */
function randomKey(): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(32));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** True for a string in the format of a random key. */
export function isHandoffKey(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
}
