const digit = 1;
const upper = 2;
const lower = 4;
const underscore = 8;
const joiner = 16;
const blank = 32;
const endsEscape = 64;

/** Members of each kind, in the order of the bits above. */
const kindMembers = [/\d/, /[A-Z]/, /[a-z]/, /_/, /[.-]/, /[ \t]/, /[\da-fnrtv]/i];

/** Kinds of each ASCII character, as bits. A table, because these tests run for almost every character. */
const kinds: Uint8Array = /* @__PURE__ */ Uint8Array.from({ length: 128 }, (_, code) =>
  kindMembers.reduce((bits, members, bit) => bits | (Number(members.test(String.fromCharCode(code))) << bit), 0),
);

/** Returns 0 for NaN (beyond the end of the text) and non-ASCII characters. */
const kindOf = (code: number): number => (code < 128 ? kinds[code]! : 0);

/** Returns 1 for an ASCII digit, 2 for an upper-case and 4 for a lower-case ASCII letter; 0 for anything else. */
export const caseOf = (code: number): number => kindOf(code) & (digit | upper | lower);
export const isDigit = (code: number): boolean => (kindOf(code) & digit) !== 0;
export const isUpper = (code: number): boolean => (kindOf(code) & upper) !== 0;
export const isLower = (code: number): boolean => (kindOf(code) & lower) !== 0;
export const isLetter = (code: number): boolean => ((code | 32) - 97) >>> 0 < 26;
/** True for an ASCII letter, digit or underscore. */
export const isWord = (code: number): boolean => (kindOf(code) & (digit | upper | lower | underscore)) !== 0;
/** True for a word character, or a dash or dot that joins words. */
export const isNamePart = (code: number): boolean =>
  (kindOf(code) & (digit | upper | lower | underscore | joiner)) !== 0;
/** True for a space or tab. */
export const isBlank = (code: number): boolean => (kindOf(code) & blank) !== 0;

const escapeBefore = /(?:\\[ntrbfv0]|\\u[\da-fA-F]{4}|(?:\\x|%)[\da-fA-F]{2})$/;

/** True if a new token may begin after a character: it is not a word character, or an escape may end with it. */
export const mayPrecedeToken = (code: number): boolean => !isWord(code) || (kindOf(code) & endsEscape) !== 0;

/**
 * True if a token may begin at `at`: at the start of the text, or after a character that is not part of a word. The last
 * character of an escape (`\n`, `\u0020`, `%3D`) does not count as part of a word: in nested JSON most lines begin after an
 * escape. A dash or dot joins tokens unless it is isolated, such as the mark of a removed line in a diff or of a list item.
 */
export function beginsToken(text: string, at: number): boolean {
  if (at === 0) return true;
  const before = text.charCodeAt(at - 1);
  if (isWord(before)) return mayPrecedeToken(before) && escapeBefore.test(text.slice(Math.max(0, at - 6), at));
  if (before !== 45 && before !== 46) return true;
  if (at === 1) return true;
  const earlier = text.charCodeAt(at - 2);
  return !isWord(earlier) && earlier !== before && earlier !== 45;
}
