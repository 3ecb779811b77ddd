/**
 * Lower-case letters, and letters without case, of the scripts that separate words by spaces. These few ranges replace
 * `\p{L}` where many words are matched: compiling the hundreds of ranges of `\p{L}` for every use would take longer than
 * reading a transcript.
 */
export const wordLetters: string = String.raw`a-z\u00df-\u024f\u0370-\u058f\u05d0-\u06ff\u0900-\u097f`;

/** Compiles an expression for lower-case text. In it, `\p{L}` stands for {@link wordLetters}. */
export function wordExpression(source: string): RegExp {
  return new RegExp(
    source
      .replaceAll(String.raw`[^\p{L}`, `[^${wordLetters}`)
      .replaceAll(String.raw`\p{L}`, (_, at: number) => (source[at - 1] === '[' ? wordLetters : `[${wordLetters}]`)),
    'u',
  );
}
