/** A literal that announces a possible secret, and whose it is. */
export interface Keyword<Owner> {
  readonly literal: string;
  /** False: ASCII letters match in either case. */
  readonly caseSensitive: boolean;
  readonly owner: Owner;
}

/**
 * Characters fold into 32 classes, so that three neighbours make a 15 bit number and one table look-up per
 * character decides whether any keyword can begin here. `_`, `-` and `.` have a class of their own because
 * they stand in nearly every token prefix; all punctuation a keyword may use besides shares one.
 */
const CLASSES = /* @__PURE__ */ (() => {
  const table = new Uint8Array(128);
  for (let code = 0; code < 128; code += 1) {
    const letter = (code | 32) - 96;
    if (letter >= 1 && letter <= 26 && code >= 65) table[code] = letter;
    else if (code >= 48 && code <= 57) table[code] = 27;
  }
  table[95] = 28;
  table[45] = 29;
  table[46] = 30;
  for (const mark of ':/=~@|<+') table[mark.charCodeAt(0)] = 31;
  return table;
})();

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

/**
 * Prepares one pass that reports where any of the keywords stands: every text costs one table look-up per
 * character, however many keywords there are. Keywords need at least two characters.
 */
export function createScanner<Owner>(
  keywords: readonly Keyword<Owner>[],
): (text: string, hit: (owner: Owner, at: number, length: number) => void) => void {
  const table = new Uint16Array(32768);
  const buckets: Keyword<Owner>[][] = [[]];
  const enter = (trigram: number, keyword: Keyword<Owner>): void => {
    let bucket = table[trigram]!;
    if (bucket === 0) {
      bucket = buckets.length;
      table[trigram] = bucket;
      buckets.push([]);
    }
    buckets[bucket]!.push(keyword);
  };
  for (const given of keywords) {
    const literal = given.caseSensitive ? given.literal : given.literal.replace(/[A-Z]/g, (c) => c.toLowerCase());
    const keyword = { ...given, literal };
    const [first, second, third] = [0, 1, 2].map((index) => classOf(literal.charCodeAt(index)));
    const pair = (first! << 5) | second!;
    if (literal.length > 2) enter((pair << 5) | third!, keyword);
    else for (let before = 0; before < 32; before += 1) enter((before << 10) | pair, keyword);
  }
  return (text, hit) => {
    let trigram = 0;
    for (let index = 0; index < text.length; index += 1) {
      const code = text.charCodeAt(index);
      trigram = ((trigram << 5) | (code < 128 ? CLASSES[code]! : 0)) & 32767;
      const bucket = table[trigram]!;
      if (bucket === 0) continue;
      for (const { literal, caseSensitive, owner } of buckets[bucket]!) {
        const at = literal.length > 2 ? index - 2 : index - 1;
        if (at >= 0 && standsAt(text, at, literal, caseSensitive)) hit(owner, at, literal.length);
      }
    }
  };
}
