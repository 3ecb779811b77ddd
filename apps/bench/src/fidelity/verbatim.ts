/** Shortest stretch that counts as repeated word for word, in characters. */
export const shortestStretch = 40;

/**
 * Every stretch of {@link shortestStretch} characters in these texts, as hashes of 52 bits, one per starting position.
 * Stretches do not cross lines' indentation: runs of white space count as one space, so that re-indented code is a repeat.
 */
export function stretchesOf(
  texts: readonly string[],
  into: Set<number> = new Set(),
  only?: ReadonlySet<number>,
): Set<number> {
  for (const text of texts) {
    for (const hash of stretches(text)) if (!only || only.has(hash)) into.add(hash);
  }
  return into;
}

/** The hashes of one text in order: two rolling polynomial hashes of 26 bits each. */
export function* stretches(text: string): Generator<number> {
  const line = text.replace(/^\s*\d{1,7}(?:\u2192|\t|\||: |:)/gm, '').replace(/\s+/g, ' ');
  const length = shortestStretch;
  if (line.length < length) return;
  let first = 0;
  let second = 0;
  for (let at = 0; at < line.length; at++) {
    const entering = line.charCodeAt(at) + 1;
    const leaving = at >= length ? line.charCodeAt(at - length) + 1 : 0;
    first = (Math.imul(first, 31) + entering - Math.imul(leaving, firstPower)) | 0;
    second = (Math.imul(second, 131) + entering - Math.imul(leaving, secondPower)) | 0;
    if (at >= length - 1) yield (first >>> 6) * 0x4000000 + (second >>> 6);
  }
}

const power = (base: number): number => {
  let result = 1;
  for (let count = 0; count < shortestStretch; count++) result = Math.imul(result, base);
  return result;
};
const firstPower = power(31);
const secondPower = power(131);
