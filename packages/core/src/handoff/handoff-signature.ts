import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** Length of a signature in hexadecimal digits. 96 bits cannot be guessed and cost about a dozen prompt tokens. */
const length = 24;

/** The key that signs handoffs, or a function that returns it. */
export type HandoffKey = string | (() => string);

/**
 * Returns the signature of a handoff: HMAC-SHA-256 (RFC 2104), cut to {@link length} digits. Uses `@noble/hashes`,
 * bundled so that core has no dependencies, because Web Crypto has no synchronous API.
 */
export function signHandoff(key: HandoffKey, body: string, following: number | undefined): string {
  const signed = `palimpsest handoff\n${following ?? ''}\n${body}`;
  return bytesToHex(hmac(sha256, utf8ToBytes(typeof key === 'function' ? key() : key), utf8ToBytes(signed))).slice(
    0,
    length,
  );
}

/** A digest of a handoff's body, to recognize it without storing its text: SHA-256, cut to as many digits. */
export function digestHandoff(body: string): string {
  return bytesToHex(sha256(utf8ToBytes(body))).slice(0, length);
}
