const DIGIT = 1;
const UPPER = 2;
const LOWER = 4;
const UNDERSCORE = 8;
const JOINER = 16;
const BLANK = 32;
const RUN_END = 64;

/** What each ASCII character is, as bits: searching asks this a million times a second. */
const KINDS: Uint8Array = /* @__PURE__ */ Uint8Array.from({ length: 128 }, (_, code) => {
  if (code >= 48 && code <= 57) return DIGIT;
  if (code >= 65 && code <= 90) return UPPER;
  if (code >= 97 && code <= 122) return LOWER;
  if (code === 95) return UNDERSCORE;
  if (code === 45 || code === 46) return JOINER;
  if (code === 32 || code === 9) return BLANK | RUN_END;
  return code < 32 || '"\'`\\<>'.includes(String.fromCharCode(code)) ? RUN_END : 0;
});

/** Not a number (beyond the text) and everything beyond ASCII is of no kind. */
const kindOf = (code: number): number => (code < 128 ? KINDS[code]! : 0);

export const isDigit = (code: number): boolean => kindOf(code) === DIGIT;
export const isUpper = (code: number): boolean => kindOf(code) === UPPER;
export const isLower = (code: number): boolean => kindOf(code) === LOWER;
export const isLetter = (code: number): boolean => (kindOf(code) & (UPPER | LOWER)) !== 0;
/** Letter, digit or underscore, ASCII. */
export const isWord = (code: number): boolean => (kindOf(code) & (DIGIT | UPPER | LOWER | UNDERSCORE)) !== 0;
/** A word character, or the dash or dot that joins words. */
export const isNamePart = (code: number): boolean =>
  (kindOf(code) & (DIGIT | UPPER | LOWER | UNDERSCORE | JOINER)) !== 0;
/** Space or tab. */
export const isBlank = (code: number): boolean => (kindOf(code) & BLANK) !== 0;
/** White space, a control character, a quote, a backslash or an angle bracket: ends a bare value. */
export const endsRun = (code: number): boolean => (kindOf(code) & RUN_END) !== 0 || code === 0xa0;
/** True when a backslash or a percent sign stands where an escape that ends at `at` would begin. */
function mayEndEscape(text: string, at: number): boolean {
  return (
    text.charCodeAt(at - 2) === 92 ||
    text.charCodeAt(at - 6) === 92 ||
    text.charCodeAt(at - 4) === 92 ||
    text.charCodeAt(at - 3) === 37
  );
}

const ESCAPE_BEFORE = /(?:\\[ntrbfv0]|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|%[0-9a-fA-F]{2})$/;

/**
 * True when something new begins at `at`: the text's start, or no word character before it. The letter of an
 * escape (`\n`, `\u0020`, `%3D`) is no word character: in nested JSON most lines begin after one. A dash or a
 * dot joins tokens, unless it stands alone (the mark of a removed line in a diff, a list item).
 */
export function beginsToken(text: string, at: number): boolean {
  if (at === 0) return true;
  const before = text.charCodeAt(at - 1);
  if (isWord(before)) return mayEndEscape(text, at) && ESCAPE_BEFORE.test(text.slice(Math.max(0, at - 6), at));
  if (before !== 45 && before !== 46) return true;
  if (at === 1) return true;
  const earlier = text.charCodeAt(at - 2);
  return !isWord(earlier) && earlier !== before && earlier !== 45;
}
