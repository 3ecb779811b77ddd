const within = (code: number, low: number, high: number): boolean => code >= low && code <= high;

export const isDigit = (code: number): boolean => within(code, 48, 57);
export const isUpper = (code: number): boolean => within(code, 65, 90);
export const isLower = (code: number): boolean => within(code, 97, 122);
export const isLetter = (code: number): boolean => isLower(code | 32) && code < 128;
/** Letter, digit or underscore, ASCII. */
export const isWord = (code: number): boolean => isLetter(code) || isDigit(code) || code === 95;
/** Space or tab. */
export const isBlank = (code: number): boolean => code === 32 || code === 9;

const ESCAPE_BEFORE = /(?:\\[ntrbfv0]|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|%[0-9a-fA-F]{2})$/;

/**
 * True when something new begins at `at`: the text's start, or no word character before it. The letter of an
 * escape (`\n`, `\u0020`, `%3D`) is no word character: in nested JSON most lines begin after one. A dash or a
 * dot joins tokens, unless it stands alone (the mark of a removed line in a diff, a list item).
 */
export function beginsToken(text: string, at: number): boolean {
  if (at === 0) return true;
  const before = text.charCodeAt(at - 1);
  if (isWord(before)) return ESCAPE_BEFORE.test(text.slice(Math.max(0, at - 6), at));
  if (before !== 45 && before !== 46) return true;
  if (at === 1) return true;
  const earlier = text.charCodeAt(at - 2);
  return !isWord(earlier) && earlier !== before && earlier !== 45;
}
