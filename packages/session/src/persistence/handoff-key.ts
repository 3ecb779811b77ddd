/** Creates a key for signing the handoffs of one session: 256 random bits, in hexadecimal. */
export function newHandoffKey(): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(32));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** True for a string in the format of {@link newHandoffKey}. */
export function isHandoffKey(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
}
