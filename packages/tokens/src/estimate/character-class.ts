/**
 * Two classifications of UTF-16 code units. The *kind* drives the automaton (`automaton.ts`). The finer *letter* is used for
 * pairs, which have their own weights: it ignores case, has one class per Latin letter and for most punctuation, and only a
 * few classes for the rest of Unicode.
 */

// Kinds. From `script` on, each script is a kind; those from `unspaced` on write no spaces between words. Plain constants,
// because bundlers inline them, unlike the members of an object.
export const lower = 1;
export const upper = 2;
export const digit = 3;
export const space = 4;
export const newline = 5;
const tab = 6;
export const mark = 7;
export const script = 8;
export const unspaced = 21;

/** Columns of the automaton's table: the number of kinds, rounded up to a power of two. */
export const kindColumns = 32;
/** Rows and columns of the pair table: the number of letters. */
export const letterColumns = 64;

/** Punctuation that shares a letter, separated by spaces. */
const marks = '" \' ( ) [{ ]} . , : ; - = _ / \\ *# < > | !?$%@^~+&`'.split(' ');
const digitLetter = 26;
const spaceLetter = 27;
const newlineLetter = 28;
const tabLetter = 29;
const firstMark = 30;
/** First letter of: accented Latin (3), Cyrillic (3), Han, Hiragana, Katakana, Hangul, other scripts, wide signs, others. */
const accents = 50;

/**
 * Start of each script, which extends to the next one: the first code point divided by 16 (three hexadecimal digits), the
 * kind (base 32) and the letter (base-32 offset from `accents`; `-` is the letter of tabs). Kinds from 8 on: 8 Dravidian,
 * 9 Greek, a and b Cyrillic, c all others, d Hebrew, e Arabic, f and g Devanagari, h other Indic and Georgian, i and j Thai,
 * k Hangul; l punctuation, m signs, n box drawing, o CJK punctuation, p kana, q Han, r and s surrogates, t selectors,
 * u Latin-1 signs.
 */
const scripts =
  '0000- 008ub 00c10 01011 02512 0379a 040a5 041b5 043b3 044b4 045a5 053ca 059da 060ea 070ca 090fa 094ga 095fa 098ha ' +
  '0c08a 0d8ha 0e0ia 0e3ja 0e8ca 10aha 110k9 120ca 1e012 1f09a 200lb 219mb 250nb 258mb 2e8q6 300ob 304p7 30ap8 310q6 ' +
  'a00ca ac0k9 d80rc dc0sc e00cc f90q6 fb0ea fe0tc ff0ob';

/** Kind (low 5 bits) and letter (higher bits) of each code unit below 128. */
export const asciiClass: Uint16Array = new Uint16Array(128).fill(tabLetter << 5);
/** Kind and letter of each block of 16 code units. */
export const blockClass: Uint16Array = new Uint16Array(4096);

const put = (characters: string, kind: number, letter: number): void => {
  for (let at = 0; at < characters.length; at++) asciiClass[characters.charCodeAt(at)] = kind | (letter << 5);
};
for (let letter = 0; letter < 26; letter++) {
  put(String.fromCharCode(97 + letter), lower, letter);
  put(String.fromCharCode(65 + letter), upper, letter);
}
put('0123456789', digit, digitLetter);
put(' ', space, spaceLetter);
put('\n\r', newline, newlineLetter);
put('\t', tab, tabLetter);
for (const [index, characters] of marks.entries()) put(characters, mark, firstMark + index);
for (const entry of scripts.split(' ')) {
  const letter = entry[4] === '-' ? tabLetter : accents + Number.parseInt(entry[4]!, 32);
  blockClass.fill(Number.parseInt(entry[3]!, 32) | (letter << 5), Number.parseInt(entry.slice(0, 3), 16));
}
