/**
 * The two alphabets a text is read in. Every UTF-16 code unit has a *kind*, which drives the {@link automaton}, and a
 * finer *letter*, whose pairs carry weights of their own: case does not matter there, each Latin letter and most
 * punctuation stands for itself, and the rest of Unicode shares a few.
 */

/** Kinds of code units, up to the first script, each of which is a kind of its own. */
export const kinds = {
  other: 0,
  lower: 1,
  upper: 2,
  digit: 3,
  space: 4,
  newline: 5,
  tab: 6,
  mark: 7,
  script: 8,
} as const;

/** How many kinds there are, rounded up to a power of two: the columns of the automaton's table. */
export const kindColumns = 32;
/** How many letters there are: the sides of the pair table. */
export const letterColumns = 64;

const marks = [
  '"',
  "'",
  '(',
  ')',
  '[{',
  ']}',
  '.',
  ',',
  ':',
  ';',
  '-',
  '=',
  '_',
  '/',
  '\\',
  '*#',
  '<',
  '>',
  '|',
  '!?$%@^~+&`',
];
const digitLetter = 26,
  spaceLetter = 27,
  newlineLetter = 28,
  tabLetter = 29,
  firstMark = 30;
/** Of accented Latin, Cyrillic, Han, Hiragana, Katakana, Hangul, other scripts, wide punctuation, and what is left. */
const accents = 50,
  cyrillic = 53,
  han = 56,
  hiragana = 57,
  katakana = 58,
  hangul = 59,
  otherScript = 60,
  wide = 61,
  rest = 62;

// Where scripts begin, in steps of 16 code points: [first code point, kind, letter], each up to the next.
const ranges: readonly (readonly [from: number, kind: number, letter: number])[] = [
  [0x00, 0, tabLetter],
  [0x80, 8, wide],
  [0xc0, 1, accents],
  [0x100, 1, accents + 1],
  [0x250, 1, accents + 2],
  [0x370, 9, otherScript],
  [0x400, 10, cyrillic + 2],
  [0x410, 11, cyrillic + 2],
  [0x430, 11, cyrillic],
  [0x440, 11, cyrillic + 1],
  [0x450, 10, cyrillic + 2],
  [0x530, 12, otherScript],
  [0x590, 13, otherScript],
  [0x600, 14, otherScript],
  [0x700, 12, otherScript],
  [0x900, 15, otherScript],
  [0x940, 16, otherScript],
  [0x950, 15, otherScript],
  [0x980, 17, otherScript],
  [0xc00, 30, otherScript],
  [0xd80, 17, otherScript],
  [0xe00, 18, otherScript],
  [0xe30, 19, otherScript],
  [0xe80, 12, otherScript],
  [0x10a0, 17, otherScript],
  [0x1100, 20, hangul],
  [0x1200, 12, otherScript],
  [0x1e00, 1, accents + 2],
  [0x1f00, 9, otherScript],
  [0x2000, 21, wide],
  [0x2190, 22, wide],
  [0x2500, 23, wide],
  [0x2580, 22, wide],
  [0x2e80, 26, han],
  [0x3000, 24, wide],
  [0x3040, 25, hiragana],
  [0x30a0, 25, katakana],
  [0x3100, 26, han],
  [0xa000, 12, otherScript],
  [0xac00, 20, hangul],
  [0xd800, 27, rest],
  [0xdc00, 28, rest],
  [0xe000, 12, rest],
  [0xf900, 26, han],
  [0xfb00, 14, otherScript],
  [0xfe00, 29, rest],
  [0xff00, 24, wide],
];

/** Kind (low 5 bits) and letter (above) of each code unit below 128. */
export const asciiClass: Uint16Array = new Uint16Array(128).fill(tabLetter << 5);
/** The same for every 16 code units. */
export const blockClass: Uint16Array = new Uint16Array(4096);

const put = (characters: string, kind: number, letter: number): void => {
  for (let at = 0; at < characters.length; at++) asciiClass[characters.charCodeAt(at)] = kind | (letter << 5);
};
for (let letter = 0; letter < 26; letter++) {
  put(String.fromCharCode(97 + letter), kinds.lower, letter);
  put(String.fromCharCode(65 + letter), kinds.upper, letter);
}
put('0123456789', kinds.digit, digitLetter);
put(' ', kinds.space, spaceLetter);
put('\n\r', kinds.newline, newlineLetter);
put('\t', kinds.tab, tabLetter);
for (const [index, characters] of marks.entries()) put(characters, kinds.mark, firstMark + index);
for (const [index, [from, kind, letter]] of ranges.entries()) {
  blockClass.fill(kind | (letter << 5), from >> 4, (ranges[index + 1]?.[0] ?? 0x10000) >> 4);
}
