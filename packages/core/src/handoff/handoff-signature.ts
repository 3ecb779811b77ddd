import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** Hexadecimal digits of a signature: 96 bits, too many to guess, for about a dozen prompt tokens. */
const length = 24;

/** The key that signs handoffs, or a function that returns it. */
export type HandoffKey = string | (() => string);

/**
 * The signature of a handoff: HMAC-SHA-256 (RFC 2104), cut to {@link length} digits. Bundled from `@noble/hashes`, so
 * that core has no dependencies; Web Crypto has no synchronous API for it.
 */
export function signHandoff(key: HandoffKey, body: string, following: number | undefined): string {
  const signed = `palimpsest handoff\n${following ?? ''}\n${body}`;
  return bytesToHex(hmac(sha256, utf8ToBytes(typeof key === 'function' ? key() : key), utf8ToBytes(signed))).slice(
    0,
    length,
  );
}
