import { checksum } from '@palimpsest/core';

/** Makes the mark by which a stored text is recognised as unchanged. */
export type Sign = (text: string) => Promise<string>;

/**
 * With a key, an HMAC-SHA-256: whoever can write to the store but does not know the key cannot make a valid state.
 * Without one, a checksum: it detects torn writes and damage, not forgery.
 */
export function signer(key: string | undefined): Sign {
  if (key === undefined) return (text) => Promise.resolve(checksum(text));
  const { subtle } = globalThis.crypto;
  const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
  const imported = subtle.importKey('raw', bytes(key), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  // A failure belongs to the read or write that needs the key.
  imported.catch(() => {});
  return async (text) => {
    const mac = new Uint8Array(await subtle.sign('HMAC', await imported, bytes(text)));
    return Array.from(mac, (byte) => byte.toString(16).padStart(2, '0')).join('');
  };
}
