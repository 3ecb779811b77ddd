import { isLetter } from '../scan/characters.ts';
import { looksRandom, statsOf } from '../values/looks-random.ts';

/** A run of base64 that may be a line of a private key. */
export interface KeyRun {
  readonly start: number;
  readonly end: number;
}

/** Base64, including the escaped slashes that PHP and others write into JSON. */
const runPattern = /(?:[A-Za-z0-9+/=]|\\{1,15}\/){16,8192}/g;
/** Minimum length of a full line. PEM has 64 characters, OpenSSH 70, PGP 64 or 76. Only the last line is shorter. */
const fullLine = 40;
/** Longest line number, log prefix, quote and comma between two lines, without white space. */
const maxPrefixLength = 300;

/** Base64 runs between two indices, in order. */
export function keyRuns(text: string, from: number, to: number): KeyRun[] {
  return [...text.slice(from, to).matchAll(runPattern)].flatMap(({ 0: run, index }) => {
    const end = from + index + run.length;
    let start = from + index;
    // The letter of an escape (`\n`, `\u000a`) is not base64.
    if (start > 0 && text[start - 1] === '\\' && isLetter(text.charCodeAt(start))) start += text[start] === 'u' ? 5 : 1;
    return isBase64(text.slice(start, end)) ? [{ start, end }] : [];
  });
}

/** False for words, paths, rulers and hex digests, which use the same characters. */
function isBase64(run: string): boolean {
  if (/^[\da-f]+$/i.test(run)) return false;
  if (run.length < fullLine) return looksRandom(run);
  const { letters, digits, upper, changes, length } = statsOf(run);
  const isMixed = digits > 0 || (upper > 0 && upper < letters);
  return isMixed && changes * 8 >= length && (run.match(/\//g)?.length ?? 0) * 8 < run.length;
}

/** True if a run is long enough to be a full line of a key. */
export const isFullLine = ({ start, end }: KeyRun): boolean => end - start >= fullLine;

/** True if the text between two indices is short enough to be the prefix of a line. */
export function isNear(text: string, from: number, to: number): boolean {
  return to - from <= 8 * maxPrefixLength && text.slice(from, to).replace(/\s+/g, '').length <= maxPrefixLength;
}

/** True if the indices are on the same line or on lines with at most one line between them. */
export function isNextLine(text: string, from: number, to: number): boolean {
  return isNear(text, from, to) && text.slice(from, to).split('\n').length <= 3;
}
