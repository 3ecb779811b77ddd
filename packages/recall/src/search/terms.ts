import { codeAt } from './code-at.ts';

/** Kinds of characters: lower-case letter, capital, digit, and joint (a character inside identifiers and paths). */
const lower = 1;
const capital = 2;
const digit = 3;
const joint = 4;

const kinds = new Uint8Array(128);
for (let code = 97; code <= 122; code++) kinds[code] = lower;
for (let code = 65; code <= 90; code++) kinds[code] = capital;
for (let code = 48; code <= 57; code++) kinds[code] = digit;
for (const character of '_$@~/\\.:#%+-') kinds[character.charCodeAt(0)] = joint;

/** Longer runs of characters are data, and are read in pieces. */
const longestRun = 200;
/** Longer identifiers and paths are indexed only by their parts. */
const longestWhole = 80;
const slash = 47;
const backslash = 92;
const wideLetter: RegExp = /[\p{L}\p{M}\p{N}]/u;
/** Scripts that do not put spaces between words. Their text is indexed by characters and pairs of characters. */
const unspaced: RegExp = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** Called with the range of a term in the text. Terms are compared without case. */
export type TermFound = (from: number, to: number) => void;

/**
 * Calls `found` for each search term of `text[from, to)`: words, whole identifiers and paths, and their parts.
 * `src/userStore.test.ts` gives itself, `userStore.test.ts`, `src`, `userStore`, `user`, `Store`, `test` and `ts`.
 * One pass without a regular expression or a copy for ASCII text, because it reads every hidden word of a session.
 */
export function eachTerm(text: string, found: TermFound, from = 0, to: number = text.length): void {
  let at = from;
  while (at < to) {
    const code = codeAt(text, at);
    if (code >= 128) at = wideRun(text, at, to, found);
    else if (kinds[code] === 0) at++;
    else at = asciiRun(text, at, to, found);
  }
}

/** Reads the run of identifier characters at `from`. @returns where it ends */
function asciiRun(text: string, from: number, to: number, found: TermFound): number {
  const limit = Math.min(to, from + longestRun);
  let next = from;
  let capitals = 0;
  let joints = 0;
  for (; next < limit; next++) {
    const code = codeAt(text, next);
    const kind = code < 128 ? kinds[code] : 0;
    if (kind === 0) break;
    if (kind === capital) capitals++;
    else if (kind === joint) joints++;
  }
  let start = from;
  let end = next;
  if (joints > 0) {
    // Punctuation at the edges belongs to the sentence, not to the identifier.
    for (; start < end && kinds[codeAt(text, start)] === joint; start++) joints--;
    for (; start < end && kinds[codeAt(text, end - 1)] === joint; end--) joints--;
  }
  if (end - start > 1 && end - start <= longestWhole) found(start, end);
  if (joints > 0) eachPart(text, start, end, capitals > 0, found);
  else if (capitals > 0) eachHump(text, start, end, found);
  return next;
}

/** The parts between joints, the words in them, and the file name of a path. */
function eachPart(text: string, from: number, to: number, hasCapitals: boolean, found: TermFound): void {
  let start = from;
  let name = from;
  let partsOfName = 0;
  for (let at = from; at <= to; at++) {
    const code = at < to ? codeAt(text, at) : slash;
    if (at < to && kinds[code] !== joint) continue;
    if (at - start > 1 && at - start <= longestWhole) found(start, at);
    if (hasCapitals && at - start > 3) eachHump(text, start, at, found);
    partsOfName++;
    start = at + 1;
    if (at === to) break;
    if (code !== slash && code !== backslash) continue;
    name = at + 1;
    partsOfName = 0;
  }
  if (name > from && partsOfName > 1 && to - name <= longestWhole) found(name, to);
}

/** The words of a name in camel case. `parseHTMLText` gives `parse`, `HTML` and `Text`. */
function eachHump(text: string, from: number, to: number, found: TermFound): void {
  let start = from;
  for (let at = from + 1; at <= to; at++) {
    if (at < to) {
      if (kinds[codeAt(text, at)] !== capital) continue;
      const isInAbbreviation = kinds[codeAt(text, at - 1)] === capital;
      if (isInAbbreviation && !(at + 1 < to && kinds[codeAt(text, at + 1)] === lower)) continue;
    }
    // A single word was reported already.
    if (at - start > 1 && at - start < to - from) found(start, at);
    start = at;
  }
}

/** Reads the run of letters at `from`, which begins with a non-ASCII character. @returns where it ends */
function wideRun(text: string, from: number, to: number, found: TermFound): number {
  const limit = Math.min(to, from + longestRun);
  let at = from;
  let word = from;
  let previous = -1;
  while (at < limit) {
    const code = text.codePointAt(at)!;
    const character = String.fromCodePoint(code);
    if (code < 128 ? kinds[code] === 0 || kinds[code] === joint : !wideLetter.test(character)) break;
    const end = at + character.length;
    if (unspaced.test(character)) {
      if (word < at) found(word, at);
      found(at, end);
      if (previous >= 0) found(previous, end);
      previous = at;
      word = end;
    } else previous = -1;
    at = end;
  }
  if (word < at) found(word, at);
  return at === from ? from + 1 : at;
}
