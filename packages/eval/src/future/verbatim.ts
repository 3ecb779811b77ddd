/** Length of the shortest stretch that counts as repeated verbatim, in characters. */
export const minStretchLength = 40;

/**
 * Hashes every stretch of {@link minStretchLength} characters in a text, one 52-bit hash per start position, made of two
 * rolling polynomial hashes of 26 bits each. Collapses whitespace and ignores line numbers of listings, so that
 * re-indented code counts as a repeat.
 */
export function stretchHashes(text: string): Float64Array {
  const line = onOneLine(text);
  const length = minStretchLength;
  const hashes = new Float64Array(Math.max(0, line.length - length + 1));
  if (hashes.length === 0) return hashes;
  let first = 0;
  let second = 0;
  for (let at = 0; at < line.length; at++) {
    const entering = line.charCodeAt(at) + 1;
    const leaving = at >= length ? line.charCodeAt(at - length) + 1 : 0;
    first = (Math.imul(first, 31) + entering - Math.imul(leaving, firstPower)) | 0;
    second = (Math.imul(second, 131) + entering - Math.imul(leaving, secondPower)) | 0;
    if (at >= length - 1) hashes[at - length + 1] = (first >>> 6) * 0x4000000 + (second >>> 6);
  }
  return hashes;
}

/** Collapses whitespace and removes line numbers of listings. Position n of it is the start of the stretch with hash n. */
export const onOneLine = (text: string): string =>
  text.replace(/^\s*\d{1,7}(?:\u2192|\t|\||: |:)/gm, '').replace(/\s+/g, ' ');

const power = (base: number): number => {
  let result = 1;
  for (let count = 0; count < minStretchLength; count++) result = Math.imul(result, base);
  return result;
};
const firstPower = power(31);
const secondPower = power(131);
