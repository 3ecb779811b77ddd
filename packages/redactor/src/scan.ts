import { AHEAD, Codes, pairOf, STRETCH } from './codes.ts';

/** A literal that announces a possible secret, and whose it is. */
export interface Keyword<Owner> {
  readonly literal: string;
  /** False: ASCII letters match in either case. */
  readonly caseSensitive: boolean;
  readonly owner: Owner;
}

interface Entry<Owner> extends Keyword<Owner> {
  /** How many of its first characters are certain when their classes are. */
  readonly told: number;
}

/** Told of every keyword found, by where they begin: whose it is and where it stands. */
export type Hit<Owner> = (owner: Owner, at: number, length: number) => void;

/** Signs with a class of their own; every other sign, and everything beyond ASCII, is class 0. */
const SIGNS = '_-.:/=~@| ';
const BITS = 6;
const WINDOW = 1 << (3 * BITS);

/**
 * Characters fold into 64 classes (letters by case, all digits one), so that three neighbours make an 18 bit number
 * and one table look-up decides whether any keyword can begin with them.
 */
const CLASSES: Uint8Array = /* @__PURE__ */ Uint8Array.from({ length: 129 }, (_, code) => {
  if (code >= 97 && code <= 122) return code - 59;
  if (code >= 65 && code <= 90) return code - 53;
  if (code >= 48 && code <= 57) return 11;
  return SIGNS.indexOf(String.fromCharCode(code)) + 1;
});

/** Bits that keywords share by the character they are first looked up by; those with hardly more than that have one of their own. */
const SHARED = 7;
const markOf = (literal: string, from: number): number =>
  literal.length <= 3 ? 1 << SHARED : 1 << (literal.charCodeAt(from) % SHARED);

/** Every code that {@link Codes} reads. */
const ANY_CODE: readonly number[] = /* @__PURE__ */ Array.from({ length: 129 }, (_, code) => code);

/** Compares backwards, down to `from`: what begins like a keyword seldom ends like it. */
function standsAt(text: string, at: number, literal: string, from: number, caseSensitive: boolean): boolean {
  for (let offset = literal.length - 1; offset >= from; offset -= 1) {
    const code = text.charCodeAt(at + offset);
    const folded = !caseSensitive && code >= 65 && code <= 90 ? code | 32 : code;
    if (folded !== literal.charCodeAt(offset)) return false;
  }
  return true;
}

/** The codes that a text may have at `index` of a keyword; letters of one that is not case sensitive are lower case. */
function codesAt(index: number, { literal, caseSensitive }: Keyword<unknown>): readonly number[] {
  if (index >= literal.length) return ANY_CODE;
  const code = Math.min(literal.charCodeAt(index), 128);
  return !caseSensitive && code >= 97 && code <= 122 ? [code, code - 32] : [code];
}

/**
 * Prepares one pass that reports where any of the keywords stands, however many there are. Characters are looked up in
 * pairs: one that a keyword can begin with, or go on with after its first character, followed by one that it can go on
 * with then. Keywords need at least two characters.
 */
export function createScanner<Owner>(keywords: readonly Keyword<Owner>[]): (text: string, hit: Hit<Owner>) => void {
  // By pair of codes: marks of the keywords that have it at their beginning, and of those that have it behind that.
  const firsts = new Uint8Array(1 << 16);
  const seconds = new Uint8Array(1 << 16);
  const table = new Uint16Array(WINDOW);
  const buckets: Entry<Owner>[][] = [[]];
  const enter = (trigram: number, keyword: Entry<Owner>): void => {
    const known = buckets[table[trigram]!]!;
    if (known.includes(keyword)) return;
    table[trigram] = buckets.length;
    buckets.push([...known, keyword]);
  };
  const mark = (pairs: Uint8Array, keyword: Entry<Owner>, from: number, as: number): void => {
    for (const one of codesAt(from, keyword))
      for (const other of codesAt(from + 1, keyword)) pairs[pairOf(one, other)]! |= as;
  };
  for (const given of keywords) {
    const literal = given.caseSensitive ? given.literal : given.literal.replace(/[A-Z]/g, (c) => c.toLowerCase());
    // Letters and signs have classes of their own; the digits share one.
    const keyword = { ...given, literal, told: /^[a-z_\-.:/=~@| ]{3}/i.test(literal) ? 3 : 0 };
    for (const from of [0, 1]) {
      mark(firsts, keyword, from, markOf(literal, from));
      mark(seconds, keyword, from + 2, markOf(literal, from));
    }
    const [first, second, third] = [0, 1, 2].map(
      (index) => new Set(codesAt(index, keyword).map((code) => CLASSES[code]!)),
    );
    for (const a of first!)
      for (const b of second!) for (const c of third!) enter((a << (2 * BITS)) | (b << BITS) | c, keyword);
  }
  // Which class may follow each bucket's three characters: most of what begins like a keyword goes on differently.
  const follows = new Uint8Array(buckets.length << BITS);
  for (const [bucket, candidates] of buckets.entries()) {
    for (const keyword of candidates)
      for (const code of codesAt(3, keyword)) follows[(bucket << BITS) | CLASSES[code]!] = 1;
  }
  /** Tells every keyword that stands at `at` of the stretch that begins at `from`. */
  const tell = (text: string, bytes: Uint8Array, from: number, at: number, hit: Hit<Owner>): void => {
    const window = (CLASSES[bytes[at]!]! << (2 * BITS)) | (CLASSES[bytes[at + 1]!]! << BITS) | CLASSES[bytes[at + 2]!]!;
    const bucket = table[window]!;
    if (bucket === 0 || follows[(bucket << BITS) | CLASSES[bytes[at + 3]!]!] === 0) return;
    const candidates = buckets[bucket]!;
    for (let candidate = 0; candidate < candidates.length; candidate += 1) {
      const { literal, caseSensitive, owner, told } = candidates[candidate]!;
      if (standsAt(text, from + at, literal, told, caseSensitive)) hit(owner, from + at, literal.length);
    }
  };
  // One is kept for the next text; a rule that searches while it is asked gets another.
  let spare: Codes | null = null;
  return (text, hit) => {
    const codes = spare ?? new Codes();
    spare = null;
    const { bytes, pairs } = codes;
    for (let from = 0; from < text.length; from += STRETCH - AHEAD) {
      const length = codes.read(text, from);
      // What begins in the last few characters is found with what follows it, in the next stretch.
      const end = from + length < text.length ? STRETCH - AHEAD : length;
      let pair = pairs[0]!;
      for (let at = 0; at <= end; at += 2) {
        const next = pairs[(at >> 1) + 1]!;
        if ((firsts[pair]! & seconds[next]!) !== 0) {
          if (at > 0) tell(text, bytes, from, at - 1, hit);
          if (at < end) tell(text, bytes, from, at, hit);
        }
        pair = next;
      }
      if (from + length === text.length) break;
    }
    codes.clear(Math.min(text.length, STRETCH));
    spare = codes;
  };
}
