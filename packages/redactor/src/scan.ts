/** A literal that announces a possible secret, and whose it is. */
export interface Keyword<Owner> {
  readonly literal: string;
  /** False: ASCII letters match in either case. */
  readonly caseSensitive: boolean;
  readonly owner: Owner;
}

/** Signs with a class of their own; every other sign, and everything beyond ASCII, is class 0. */
const SIGNS = '_-.:/=~@| ';
const BITS = 6;
const WINDOW = (1 << (3 * BITS)) - 1;

/**
 * Characters fold into 64 classes (letters by case, all digits one), so that three neighbours make an 18 bit number
 * and one table look-up per character decides whether any keyword can begin here.
 */
const CLASSES: Uint8Array = /* @__PURE__ */ Uint8Array.from({ length: 128 }, (_, code) => {
  if (code >= 97 && code <= 122) return code - 96;
  if (code >= 65 && code <= 90) return code - 64 + 26;
  if (code >= 48 && code <= 57) return 53;
  return SIGNS.indexOf(String.fromCharCode(code)) + (SIGNS.includes(String.fromCharCode(code)) ? 54 : 1);
});

const classOf = (code: number): number => (code < 128 ? CLASSES[code]! : 0);

function standsAt(text: string, at: number, literal: string, caseSensitive: boolean): boolean {
  if (caseSensitive) return text.startsWith(literal, at);
  for (let offset = 0; offset < literal.length; offset += 1) {
    const code = text.charCodeAt(at + offset);
    const folded = code >= 65 && code <= 90 ? code | 32 : code;
    if (folded !== literal.charCodeAt(offset)) return false;
  }
  return true;
}

const upperOf = (code: number): number => (code >= 97 && code <= 122 ? code - 32 : code);

/**
 * Prepares one pass that reports where any of the keywords stands: every text costs one table look-up per
 * character, however many keywords there are. Keywords need at least two characters.
 */
export function createScanner<Owner>(
  keywords: readonly Keyword<Owner>[],
): (text: string, hit: (owner: Owner, at: number, length: number) => void) => void {
  const table = new Uint16Array(WINDOW + 1);
  const buckets: Keyword<Owner>[][] = [[]];
  const enter = (trigram: number, keyword: Keyword<Owner>): void => {
    const known = buckets[table[trigram]!]!;
    if (known.includes(keyword)) return;
    table[trigram] = buckets.length;
    buckets.push([...known, keyword]);
  };
  for (const given of keywords) {
    const literal = given.caseSensitive ? given.literal : given.literal.replace(/[A-Z]/g, (c) => c.toLowerCase());
    const keyword = { ...given, literal };
    let trigrams = literal.length > 2 ? [0] : Array.from({ length: 1 << BITS }, (_, before) => before);
    for (let index = 0; index < Math.min(3, literal.length); index += 1) {
      const code = literal.charCodeAt(index);
      const classes = given.caseSensitive ? [classOf(code)] : [classOf(code), classOf(upperOf(code))];
      trigrams = trigrams.flatMap((trigram) => classes.map((one) => (trigram << BITS) | one));
    }
    for (const trigram of trigrams) enter(trigram, keyword);
  }
  return (text, hit) => {
    let trigram = 0;
    for (let index = 0; index < text.length; index += 1) {
      const code = text.charCodeAt(index);
      trigram = ((trigram << BITS) | (code < 128 ? CLASSES[code]! : 0)) & WINDOW;
      const bucket = table[trigram]!;
      if (bucket === 0) continue;
      const candidates = buckets[bucket]!;
      for (let candidate = 0; candidate < candidates.length; candidate += 1) {
        const { literal, caseSensitive, owner } = candidates[candidate]!;
        const at = literal.length > 2 ? index - 2 : index - 1;
        if (at >= 0 && standsAt(text, at, literal, caseSensitive)) hit(owner, at, literal.length);
      }
    }
  };
}
