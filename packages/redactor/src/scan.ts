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

/** Told of every keyword found: whose it is and where it stands. */
export type Hit<Owner> = (owner: Owner, at: number, length: number) => void;

/** Characters encoded at a time: few enough to stay in the processor's nearest cache. */
const CHUNK = 1 << 14;
const encoder: TextEncoder = /* @__PURE__ */ new TextEncoder();

/** Signs with a class of their own; every other sign, and everything beyond ASCII, is class 0. */
const SIGNS = '_-.:/=~@| ';
const BITS = 6;
const WINDOW = 1 << (3 * BITS);

/**
 * Characters fold into 64 classes (letters by case, all digits one), so that three neighbours make an 18 bit number
 * and one table look-up per character decides whether any keyword can begin here.
 */
const CLASSES: Uint8Array = /* @__PURE__ */ Uint8Array.from({ length: 129 }, (_, code) => {
  if (code >= 97 && code <= 122) return code - 59;
  if (code >= 65 && code <= 90) return code - 53;
  if (code >= 48 && code <= 57) return 11;
  return SIGNS.indexOf(String.fromCharCode(code)) + 1;
});

const classOf = (code: number): number => CLASSES[code] ?? 0;

/** Compares backwards, down to `from`: what begins like a keyword seldom ends like it. */
function standsAt(text: string, at: number, literal: string, from: number, caseSensitive: boolean): boolean {
  for (let offset = literal.length - 1; offset >= from; offset -= 1) {
    const code = text.charCodeAt(at + offset);
    const folded = !caseSensitive && code >= 65 && code <= 90 ? code | 32 : code;
    if (folded !== literal.charCodeAt(offset)) return false;
  }
  return true;
}

/** The classes a keyword's character may have in a text; letters of one that is not case sensitive are lower case. */
const classesOf = (code: number, caseSensitive: boolean): readonly number[] =>
  !caseSensitive && code >= 97 && code <= 122 ? [classOf(code), classOf(code - 32)] : [classOf(code)];

/**
 * Prepares one pass that reports where any of the keywords stands: every text costs one table look-up per
 * character, however many keywords there are. Keywords need at least two characters.
 */
export function createScanner<Owner>(keywords: readonly Keyword<Owner>[]): (text: string, hit: Hit<Owner>) => void {
  const table = new Uint16Array(WINDOW);
  const buckets: Entry<Owner>[][] = [[]];
  const enter = (trigram: number, keyword: Entry<Owner>): void => {
    const known = buckets[table[trigram]!]!;
    if (known.includes(keyword)) return;
    table[trigram] = buckets.length;
    buckets.push([...known, keyword]);
  };
  for (const given of keywords) {
    const literal = given.caseSensitive ? given.literal : given.literal.replace(/[A-Z]/g, (c) => c.toLowerCase());
    // Letters and signs have classes of their own; the digits share one.
    const keyword = { ...given, literal, told: /^[a-z_\-.:/=~@| ]{3}/i.test(literal) ? 3 : 0 };
    let trigrams = literal.length > 2 ? [0] : Array.from({ length: 1 << BITS }, (_, before) => before);
    for (let index = 0; index < Math.min(3, literal.length); index += 1) {
      const classes = classesOf(literal.charCodeAt(index), given.caseSensitive);
      trigrams = trigrams.flatMap((trigram) => classes.map((one) => (trigram << BITS) | one));
    }
    for (const trigram of trigrams) enter(trigram, keyword);
  }
  // Which class may follow each bucket's three characters: most of what begins like a keyword goes on differently.
  const follows = new Uint8Array(buckets.length << BITS);
  for (const [bucket, candidates] of buckets.entries()) {
    for (const { literal, caseSensitive } of candidates) {
      const row = bucket << BITS;
      if (literal.length <= 3) follows.fill(1, row, row + (1 << BITS));
      else for (const one of classesOf(literal.charCodeAt(3), caseSensitive)) follows[row | one] = 1;
    }
  }
  /** Tells every keyword that can begin with the three characters up to `index`, when the whole of it stands there. */
  const verify = (text: string, index: number, bucket: number, hit: Hit<Owner>): void => {
    const candidates = buckets[bucket]!;
    for (let candidate = 0; candidate < candidates.length; candidate += 1) {
      const { literal, caseSensitive, owner, told } = candidates[candidate]!;
      const at = index - (literal.length > 2 ? 2 : 1);
      if (at >= 0 && standsAt(text, at, literal, told, caseSensitive)) hit(owner, at, literal.length);
    }
  };
  // Kept from text to text; a rule that searches while it is asked gets another.
  let spare: Uint8Array | null = null;
  return (text, hit) => {
    const bytes = spare ?? new Uint8Array(CHUNK);
    spare = null;
    let first = 0;
    let second = 0;
    for (let from = 0; from < text.length; from += CHUNK) {
      const chunk = text.slice(from, from + CHUNK);
      // As long as its characters is UTF-8 only for ASCII; bytes are read faster than characters.
      const { read, written } = encoder.encodeInto(chunk, bytes);
      if (read !== chunk.length || written !== chunk.length) {
        for (let index = 0; index < chunk.length; index += 1) bytes[index] = Math.min(chunk.charCodeAt(index), 128);
      }
      for (let index = 0; index < chunk.length; index += 1) {
        const third = CLASSES[bytes[index]!]!;
        const bucket = table[(first << (2 * BITS)) | (second << BITS) | third]!;
        if (
          bucket !== 0 &&
          (index + 1 === chunk.length || follows[(bucket << BITS) | CLASSES[bytes[index + 1]!]!] !== 0)
        ) {
          verify(text, from + index, bucket, hit);
        }
        first = second;
        second = third;
      }
    }
    // It may hold secrets.
    spare = bytes.fill(0, 0, text.length);
  };
}
