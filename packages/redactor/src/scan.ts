import { isLetter } from './characters.ts';

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

/** Characters encoded at a time: few enough to stay in the processor's nearest cache. */
const CHUNK = 1 << 14;
const encoder: TextEncoder = /* @__PURE__ */ new TextEncoder();
/** What is being encoded: bytes are read faster than characters, of whatever kind the string is. */
const bytes: Uint8Array = /* @__PURE__ */ new Uint8Array(3 * CHUNK);
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

// In a scope of its own, where a bundler leaves constants constant: the engine compiles in where they lie, and reads text
// twice as fast. Bit counts are written out for the same reason. And eight times the same makes a function too long for
// the engine to compile into its caller, where it goes at two thirds of its speed.
/**
 * Goes over the encoded text up to `end` and notes where a keyword's third byte can be, from index 1 of `found` on: the
 * bucket, and in the lower 16 bits the byte. Index 0 holds the class numbers that a chunk stands behind, and after it those
 * that the next one does. Returns the index behind the last note.
 */
const seek: (end: number, table: Uint16Array, after: Uint8Array, found: Uint32Array) => number =
  /* @__PURE__ */ (() => {
    const classes = CLASSES;
    const buffer = bytes;
    return (end, table, after, found) => {
      let [trigram, index, bucket, count] = [found[0]!, 0, 0, 1];
      while (index < end) {
        trigram = ((trigram << 6) & 0x3ffff) | classes[buffer[index]!]!;
        bucket = table[trigram]!;
        if (bucket && (index < 3 || after[(bucket << 6) | classes[buffer[index - 3]!]!]))
          found[count++] = (bucket << 16) | index;
        index += 1;
        if (index === end) break;
        trigram = ((trigram << 6) & 0x3ffff) | classes[buffer[index]!]!;
        bucket = table[trigram]!;
        if (bucket && (index < 3 || after[(bucket << 6) | classes[buffer[index - 3]!]!]))
          found[count++] = (bucket << 16) | index;
        index += 1;
        if (index === end) break;
        trigram = ((trigram << 6) & 0x3ffff) | classes[buffer[index]!]!;
        bucket = table[trigram]!;
        if (bucket && (index < 3 || after[(bucket << 6) | classes[buffer[index - 3]!]!]))
          found[count++] = (bucket << 16) | index;
        index += 1;
        if (index === end) break;
        trigram = ((trigram << 6) & 0x3ffff) | classes[buffer[index]!]!;
        bucket = table[trigram]!;
        if (bucket && (index < 3 || after[(bucket << 6) | classes[buffer[index - 3]!]!]))
          found[count++] = (bucket << 16) | index;
        index += 1;
        if (index === end) break;
        trigram = ((trigram << 6) & 0x3ffff) | classes[buffer[index]!]!;
        bucket = table[trigram]!;
        if (bucket && (index < 3 || after[(bucket << 6) | classes[buffer[index - 3]!]!]))
          found[count++] = (bucket << 16) | index;
        index += 1;
        if (index === end) break;
        trigram = ((trigram << 6) & 0x3ffff) | classes[buffer[index]!]!;
        bucket = table[trigram]!;
        if (bucket && (index < 3 || after[(bucket << 6) | classes[buffer[index - 3]!]!]))
          found[count++] = (bucket << 16) | index;
        index += 1;
        if (index === end) break;
        trigram = ((trigram << 6) & 0x3ffff) | classes[buffer[index]!]!;
        bucket = table[trigram]!;
        if (bucket && (index < 3 || after[(bucket << 6) | classes[buffer[index - 3]!]!]))
          found[count++] = (bucket << 16) | index;
        index += 1;
        if (index === end) break;
        trigram = ((trigram << 6) & 0x3ffff) | classes[buffer[index]!]!;
        bucket = table[trigram]!;
        if (bucket && (index < 3 || after[(bucket << 6) | classes[buffer[index - 3]!]!]))
          found[count++] = (bucket << 16) | index;
        index += 1;
      }
      found[0] = trigram;
      return count;
    };
  })();

/** For the notes of a scan; one that begins within another, by a rule that redacts something itself, makes its own. */
let spare: Uint32Array | null = null;

/** Places of bytes become those of the characters they belong to. */
function toCharacters(found: Uint32Array, end: number): void {
  let [counted, surplus] = [0, 0];
  for (let at = 1; at < end; at += 1) {
    for (; counted <= (found[at]! & 0xffff); counted += 1) surplus += surplusOf(bytes[counted]!);
    found[at]! -= surplus;
  }
}

/**
 * Prepares one pass that reports where any of the keywords stands, and whether the text is all ASCII: every text costs one
 * table look-up per character, however many keywords there are. Keywords need at least two characters.
 */
export function createScanner<Found extends Keyword>(
  keywords: readonly Found[],
): (text: string, hit: Hit<Found>) => boolean {
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
    const found = spare ?? new Uint32Array(3 * CHUNK + 1);
    spare = null;
    found[0] = 0;
    let isAscii = true;
    for (let from = 0; from < text.length; ) {
      // Both halves of a surrogate pair stay together.
      const isSplit = text.charCodeAt(from + CHUNK - 1) >> 10 === 0x36;
      const chunk = text.slice(from, from + CHUNK - +isSplit);
      const { written } = encoder.encodeInto(chunk, bytes);
      const end = seek(written, table, allowed, found);
      if (written > chunk.length) {
        isAscii = false;
        toCharacters(found, end);
      }
      // They may have held secrets.
      bytes.fill(0, 0, written);
      for (let at = 1; at < end; at += 1) verify(text, from + (found[at]! & 0xffff), found[at]! >>> 16, hit);
      from += chunk.length;
    }
    spare = found;
    return isAscii;
  };
}
