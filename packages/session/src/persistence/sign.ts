import { checksum } from '@palimpsest/core/authoring';

/** Computes the signature or checksum that shows a stored text is unchanged. */
export type Sign = (text: string) => Promise<string>;

/**
 * Creates the signing function. With a key it is an HMAC-SHA-256: a valid state cannot be forged without the key.
 * Without a key it is a checksum, which detects torn writes and damage but not forgery.
 *
 * It uses Web Crypto, because a state may have megabytes and a store is asynchronous anyway. Core signs handoffs with
 * `@noble/hashes` instead, because a plan is applied synchronously and Web Crypto has no synchronous API.
 */
export function signer(key: string | undefined): Sign {
  if (key === undefined) return (text) => Promise.resolve(checksum(text));
  const { subtle } = globalThis.crypto;
  const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
  const imported = subtle.importKey('raw', bytes(key), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  // Prevents an unhandled rejection; the read or write that awaits the key reports the failure.
  imported.catch(() => {});
  return async (text) => {
    const mac = new Uint8Array(await subtle.sign('HMAC', await imported, bytes(text)));
    return Array.from(mac, (byte) => byte.toString(16).padStart(2, '0')).join('');
  };
}
