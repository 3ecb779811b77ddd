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
const maxRunLength = 200;
/** Longer identifiers and paths are indexed only by their parts. */
const maxWholeLength = 80;
const slash = 47;
const backslash = 92;
const wideLetter: RegExp = /[\p{L}\p{M}\p{N}]/u;
/** Scripts that do not put spaces between words. Their text is indexed by characters and pairs of characters. */
const unspaced: RegExp = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** Called with the range of a term in the codes. Terms are compared without case. */
export type TermFound = (from: number, to: number) => void;

/**
 * Calls `found` for each search term of a text: words, whole identifiers and paths, and their parts.
 * `src/userStore.test.ts` gives itself, `userStore.test.ts`, `src`, `userStore`, `user`, `Store`, `test` and `ts`.
 * A single character is a term only if it is a digit.
 * For ASCII text, it uses no regular expression and copies nothing, because it reads every hidden word of a session.
 * @param codes an array that begins with the UTF-16 codes of the text
 * @param length the length of the text
 */
export function eachTerm(codes: Uint16Array, length: number, found: TermFound): void {
  let at = 0;
  while (at < length) {
    const code = codes[at]!;
    if (code >= 128) at = wideRun(codes, at, length, found);
    else if (kinds[code] === 0) at++;
    else at = asciiRun(codes, at, length, found);
  }
}

/** Reads the run of identifier characters at `from`. @returns where it ends */
function asciiRun(codes: Uint16Array, from: number, to: number, found: TermFound): number {
  const limit = Math.min(to, from + maxRunLength);
  let next = from;
  let capitals = 0;
  let joints = 0;
  for (; next < limit; next++) {
    const code = codes[next]!;
    const kind = code < 128 ? kinds[code] : 0;
    if (kind === 0) break;
    if (kind === capital) capitals++;
    else if (kind === joint) joints++;
  }
  let start = from;
  let end = next;
  if (joints > 0) {
    // Punctuation at the edges belongs to the sentence, not to the identifier.
    for (; start < end && kinds[codes[start]!] === joint; start++) joints--;
    for (; start < end && kinds[codes[end - 1]!] === joint; end--) joints--;
  }
  if (isTerm(codes, start, end)) found(start, end);
  if (joints > 0) eachPart(codes, start, end, capitals > 0, found);
  else if (capitals > 0) eachHump(codes, start, end, found);
  return next;
}

/** A single letter or sign says nothing, but a single digit tells apart what is numbered. */
function isTerm(codes: Uint16Array, from: number, to: number): boolean {
  const length = to - from;
  return length > 1 ? length <= maxWholeLength : length === 1 && kinds[codes[from]!] === digit;
}

/** The parts between joints, the words in them, and the file name of a path. */
// biome-ignore lint/complexity/useMaxParams: called for every name in a text, where an object for each call would cost time
function eachPart(codes: Uint16Array, from: number, to: number, hasCapitals: boolean, found: TermFound): void {
  let start = from;
  let name = from;
  let partsOfName = 0;
  for (let at = from; at <= to; at++) {
    const code = at < to ? codes[at]! : slash;
    if (at < to && kinds[code] !== joint) continue;
    if (isTerm(codes, start, at)) found(start, at);
    if (hasCapitals && at - start > 3) eachHump(codes, start, at, found);
    partsOfName++;
    start = at + 1;
    if (at === to) break;
    if (code !== slash && code !== backslash) continue;
    name = at + 1;
    partsOfName = 0;
  }
  if (name > from && partsOfName > 1 && to - name <= maxWholeLength) found(name, to);
}

/** The words of a name in camel case. `parseHTMLText` gives `parse`, `HTML` and `Text`. */
function eachHump(codes: Uint16Array, from: number, to: number, found: TermFound): void {
  let start = from;
  for (let at = from + 1; at <= to; at++) {
    if (at < to) {
      if (kinds[codes[at]!] !== capital) continue;
      const isInAbbreviation = kinds[codes[at - 1]!] === capital;
      if (isInAbbreviation && !(at + 1 < to && kinds[codes[at + 1]!] === lower)) continue;
    }
    // A single word was reported already.
    if (at - start > 1 && at - start < to - from) found(start, at);
    start = at;
  }
}

/** Reads the run of letters at `from`, which begins with a non-ASCII character. @returns where it ends */
function wideRun(codes: Uint16Array, from: number, to: number, found: TermFound): number {
  const limit = Math.min(to, from + maxRunLength);
  let at = from;
  let word = from;
  let previous = -1;
  while (at < limit) {
    const code = codes[at]!;
    const isPair = (code & 0xfc00) === 0xd800 && at + 1 < to && (codes[at + 1]! & 0xfc00) === 0xdc00;
    const character = isPair ? String.fromCharCode(code, codes[at + 1]!) : String.fromCharCode(code);
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
