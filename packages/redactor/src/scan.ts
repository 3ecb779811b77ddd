import { isLetter } from './characters.ts';
import { bytes, CHUNK, encoder } from './utf8.ts';

/** A literal that announces a possible secret. */
export interface Keyword {
  readonly literal: string;
  /** False: ASCII letters match in either case. @default false */
  readonly caseSensitive?: boolean | undefined;
  /** For one of three bytes or more: which character may stand directly before it. Not always asked. @default any */
  readonly after?: ((code: number) => boolean) | undefined;
}

interface Entry {
  /** How far from its first character the one is that its third byte, or its last, belongs to. */
  readonly back: number;
}

/** Told of every keyword found, and where it stands. */
export type Hit<Found extends Keyword> = (keyword: Found, at: number) => void;

/** Signs with a class of their own; every other sign, and everything beyond ASCII, is class 0. */
const SIGNS = '_-.:/=~@| ';
const BITS = 6;
const WINDOW = 1 << (3 * BITS);

/**
 * Characters fold into 64 classes (letters by case, all digits one), so that three neighbours make an 18 bit number
 * and one table look-up per character decides whether any keyword can begin here.
 */
const CLASSES: Uint8Array = /* @__PURE__ */ Uint8Array.from({ length: 256 }, (_, code) => {
  if (code >= 97 && code <= 122) return code - 59;
  if (code >= 65 && code <= 90) return code - 53;
  if (code >= 48 && code <= 57) return 11;
  return SIGNS.indexOf(String.fromCharCode(code)) + 1;
});

/** By how many UTF-8 has more bytes than UTF-16 has characters, up to one of its bytes and at this one. */
const surplusOf = (byte: number): number => (byte >> 6 === 2 ? 1 : byte < 240 ? 0 : -1);

/** Compares backwards: what begins like a keyword seldom ends like it. */
function standsAt(text: string, at: number, { literal, caseSensitive }: Keyword): boolean {
  for (let offset = literal.length - 1; offset >= 0; offset -= 1) {
    const code = text.charCodeAt(at + offset);
    const wanted = literal.charCodeAt(offset);
    if (code !== wanted && (caseSensitive || (code ^ 32) !== wanted || !isLetter(code))) return false;
  }
  return true;
}

/**
 * Reads a chunk behind the class numbers of what came before it, and notes where a keyword's third character can be, each
 * time with its bucket. Returns the class numbers that the next chunk stands behind.
 */
type Read = (chunk: string, before: number, table: Uint16Array, after: Uint8Array, found: number[]) => number;

// In a scope of its own, where a bundler leaves constants constant, and with the loop in a function of its own: the
// engine compiles in where they lie, and reads text twice as fast.
const read: Read = /* @__PURE__ */ (() => {
  // Bit counts are written out for the same reason.
  const classes = CLASSES;
  const buffer = bytes;
  const seek = (end: number, before: number, table: Uint16Array, after: Uint8Array, found: number[]): number => {
    let trigram = before;
    for (let index = 0; index < end; index += 1) {
      trigram = ((trigram << 6) & 0x3ffff) | classes[buffer[index]!]!;
      const bucket = table[trigram]!;
      if (bucket && (index < 3 || after[(bucket << 6) | classes[buffer[index - 3]!]!])) found.push(index, bucket);
    }
    return trigram;
  };
  return (chunk, before, table, after, found) => {
    const { written } = encoder.encodeInto(chunk, buffer);
    const last = seek(written, before, table, after, found);
    if (written > chunk.length) {
      let [counted, surplus] = [0, 0];
      for (let at = 0; at < found.length; at += 2) {
        for (; counted <= found[at]!; counted += 1) surplus += surplusOf(buffer[counted]!);
        found[at]! -= surplus;
      }
    }
    // They may have held secrets.
    buffer.fill(0, 0, written);
    return last;
  };
})();

/**
 * Prepares one pass that reports where any of the keywords stands: every text costs one table look-up per
 * character, however many keywords there are. Keywords need at least two characters.
 */
export function createScanner<Found extends Keyword>(
  keywords: readonly Found[],
): (text: string, hit: Hit<Found>) => void {
  const table = new Uint16Array(WINDOW);
  const buckets: (Found & Entry)[][] = [[]];
  for (const given of keywords) {
    const encoded = encoder.encode(given.literal);
    const first = encoded.subarray(0, 3);
    const keyword = { ...given, back: first.reduce((at, byte) => at + 1 - surplusOf(byte), -1) };
    let trigrams = encoded.length > 2 ? [0] : [...Array(1 << BITS).keys()];
    for (const byte of first) {
      const codes = given.caseSensitive || !isLetter(byte) ? [byte] : [byte, byte ^ 32];
      trigrams = trigrams.flatMap((trigram) => codes.map((code) => (trigram << BITS) | CLASSES[code]!));
    }
    // Where the same keywords begin, the bucket is the same.
    const grown: number[] = [];
    for (const trigram of trigrams) {
      const known = table[trigram]!;
      table[trigram] = grown[known] ??= buckets.push([...buckets[known]!, keyword]) - 1;
    }
  }
  /** Which class may stand before each bucket's three characters: most of what is like a keyword is inside a word. */
  const allowed = new Uint8Array(buckets.length << BITS);
  for (let one = 0; one < 1 << BITS; one += 1) {
    const code = CLASSES.indexOf(one);
    for (const [bucket, candidates] of buckets.entries())
      if (candidates.some(({ after }) => !after || after(code))) allowed[(bucket << BITS) | one] = 1;
  }
  /** Tells every keyword whose first bytes can end at the character at `index`, when the whole of it stands there. */
  const verify = (text: string, index: number, bucket: number, hit: Hit<Found>): void => {
    const candidates = buckets[bucket]!;
    for (let candidate = 0; candidate < candidates.length; candidate += 1) {
      const keyword = candidates[candidate]!;
      const at = index - keyword.back;
      if (at >= 0 && standsAt(text, at, keyword)) hit(keyword, at);
    }
  };
  return (text, hit) => {
    let last = 0;
    for (let from = 0; from < text.length; ) {
      // Both halves of a surrogate pair stay together.
      const isSplit = text.charCodeAt(from + CHUNK - 1) >> 10 === 0x36;
      const chunk = text.slice(from, from + CHUNK - +isSplit);
      const found: number[] = [];
      last = read(chunk, last, table, allowed, found);
      for (let at = 0; at < found.length; at += 2) verify(text, from + found[at]!, found[at + 1]!, hit);
      from += chunk.length;
    }
  };
}
