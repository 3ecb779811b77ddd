const DIGIT = 1;
const UPPER = 2;
const LOWER = 4;
const UNDERSCORE = 8;
const JOINER = 16;
const BLANK = 32;
const ENDS_ESCAPE = 64;

/** What has each of the bits above, from the lowest on. */
const MEMBERS = [/\d/, /[A-Z]/, /[a-z]/, /_/, /[.-]/, /[ \t]/, /[\da-fnrtv]/i];

/** What each ASCII character is, as bits: searching asks this a million times a second. */
const KINDS: Uint8Array = /* @__PURE__ */ Uint8Array.from({ length: 128 }, (_, code) =>
  MEMBERS.reduce((bits, members, bit) => bits | (Number(members.test(String.fromCharCode(code))) << bit), 0),
);

/** Not a number (beyond the text) and everything beyond ASCII is of no kind. */
const kindOf = (code: number): number => (code < 128 ? KINDS[code]! : 0);

/** 1 for a digit, 2 for an upper, 4 for a lower case letter, all ASCII; 0 for anything else. */
export const caseOf = (code: number): number => kindOf(code) & (DIGIT | UPPER | LOWER);
export const isDigit = (code: number): boolean => (kindOf(code) & DIGIT) !== 0;
export const isUpper = (code: number): boolean => (kindOf(code) & UPPER) !== 0;
export const isLower = (code: number): boolean => (kindOf(code) & LOWER) !== 0;
export const isLetter = (code: number): boolean => ((code | 32) - 97) >>> 0 < 26;
/** Letter, digit or underscore, ASCII. */
export const isWord = (code: number): boolean => (kindOf(code) & (DIGIT | UPPER | LOWER | UNDERSCORE)) !== 0;
/** A word character, or the dash or dot that joins words. */
export const isNamePart = (code: number): boolean =>
  (kindOf(code) & (DIGIT | UPPER | LOWER | UNDERSCORE | JOINER)) !== 0;
/** Space or tab. */
export const isBlank = (code: number): boolean => (kindOf(code) & BLANK) !== 0;

const ESCAPE_BEFORE = /(?:\\[ntrbfv0]|\\u[\da-fA-F]{4}|(?:\\x|%)[\da-fA-F]{2})$/;

/** False for a character inside a word: neither a sign nor what an escape may end with. */
export const mayEnd = (code: number): boolean => !isWord(code) || (kindOf(code) & ENDS_ESCAPE) !== 0;

/**
 * True when something new begins at `at`: the text's start, or no word character before it. The letter of an
 * escape (`\n`, `\u0020`, `%3D`) is no word character: in nested JSON most lines begin after one. A dash or a
 * dot joins tokens, unless it stands alone (the mark of a removed line in a diff, a list item).
 */
export function beginsToken(text: string, at: number): boolean {
  if (at === 0) return true;
  const before = text.charCodeAt(at - 1);
  if (isWord(before)) return mayEnd(before) && ESCAPE_BEFORE.test(text.slice(Math.max(0, at - 6), at));
  if (before !== 45 && before !== 46) return true;
  if (at === 1) return true;
  const earlier = text.charCodeAt(at - 2);
  return !isWord(earlier) && earlier !== before && earlier !== 45;
}
