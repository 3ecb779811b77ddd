/** A literal that announces a possible secret, and whose it is. */
export interface Keyword<Owner> {
  readonly literal: string;
  /** False: ASCII letters match in either case. */
  readonly caseSensitive: boolean;
  readonly owner: Owner;
}

interface Entry<Owner> extends Keyword<Owner> {
  /** The literal in UTF-8. */
  readonly bytes: Uint8Array;
  /** How far from its first character the one is that its third byte, or its last, belongs to. */
  readonly back: number;
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
const CLASSES: Uint8Array = /* @__PURE__ */ Uint8Array.from({ length: 256 }, (_, code) => {
  if (code >= 97 && code <= 122) return code - 59;
  if (code >= 65 && code <= 90) return code - 53;
  if (code >= 48 && code <= 57) return 11;
  return SIGNS.indexOf(String.fromCharCode(code)) + 1;
});

/** By how many UTF-8 has more bytes than UTF-16 has characters, up to one of its bytes and at this one. */
const surplusOf = (byte: number): number => (byte >> 6 === 2 ? 1 : byte < 240 ? 0 : -1);

/** Compares backwards: what begins like a keyword seldom ends like it. */
function standsAt(text: string, at: number, literal: string, caseSensitive: boolean): boolean {
  for (let offset = literal.length - 1; offset >= 0; offset -= 1) {
    const code = text.charCodeAt(at + offset);
    const folded = !caseSensitive && code >= 65 && code <= 90 ? code | 32 : code;
    if (folded !== literal.charCodeAt(offset)) return false;
  }
  return true;
}

/** The classes a keyword's byte may have in a text; letters of one that is not case sensitive are lower case. */
const classesOf = (byte: number, caseSensitive: boolean): readonly number[] =>
  !caseSensitive && byte >= 97 && byte <= 122 ? [CLASSES[byte]!, CLASSES[byte - 32]!] : [CLASSES[byte]!];

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
    const bytes = encoder.encode(literal);
    const first = bytes.subarray(0, 3);
    const back = first.reduce((at, byte) => at + 1 - surplusOf(byte), -1);
    const keyword = { ...given, literal, bytes, back };
    let trigrams = bytes.length > 2 ? [0] : Array.from({ length: 1 << BITS }, (_, before) => before);
    for (const byte of first) {
      const classes = classesOf(byte, given.caseSensitive);
      trigrams = trigrams.flatMap((trigram) => classes.map((one) => (trigram << BITS) | one));
    }
    for (const trigram of trigrams) enter(trigram, keyword);
  }
  // Which class may follow each bucket's three characters: most of what begins like a keyword goes on differently.
  const follows = new Uint8Array(buckets.length << BITS);
  for (const [bucket, candidates] of buckets.entries()) {
    for (const { bytes, caseSensitive } of candidates) {
      const row = bucket << BITS;
      if (bytes.length <= 3) follows.fill(1, row, row + (1 << BITS));
      else for (const one of classesOf(bytes[3]!, caseSensitive)) follows[row | one] = 1;
    }
  }
  /** Tells every keyword whose first bytes can end at the character at `index`, when the whole of it stands there. */
  const verify = (text: string, index: number, bucket: number, hit: Hit<Owner>): void => {
    const candidates = buckets[bucket]!;
    for (let candidate = 0; candidate < candidates.length; candidate += 1) {
      const { literal, caseSensitive, owner, back } = candidates[candidate]!;
      const at = index - back;
      if (at >= 0 && standsAt(text, at, literal, caseSensitive)) hit(owner, at, literal.length);
    }
  };
  // Kept from text to text; a rule that searches while it is asked gets another.
  let spare: Uint8Array | null = null;
  return (text, hit) => {
    const bytes = spare ?? new Uint8Array(3 * CHUNK);
    spare = null;
    let trigram = 0;
    for (let from = 0; from < text.length; ) {
      // Both halves of a surrogate pair stay together.
      const isSplit = text.charCodeAt(from + CHUNK - 1) >> 10 === 0x36;
      const chunk = text.slice(from, from + CHUNK - +isSplit);
      // Bytes are read faster than characters, of whatever kind the string is.
      const { written } = encoder.encodeInto(chunk, bytes);
      let counted = 0;
      let surplus = 0;
      for (let index = 0; index < written; index += 1) {
        trigram = ((trigram << BITS) & (WINDOW - 1)) | CLASSES[bytes[index]!]!;
        const bucket = table[trigram]!;
        if (bucket && (index + 1 === written || follows[(bucket << BITS) | CLASSES[bytes[index + 1]!]!])) {
          if (written > chunk.length) for (; counted <= index; counted += 1) surplus += surplusOf(bytes[counted]!);
          verify(text, from + index - surplus, bucket, hit);
        }
      }
      from += chunk.length;
    }
    // It may hold secrets.
    spare = bytes.fill(0, 0, 3 * text.length);
  };
}
