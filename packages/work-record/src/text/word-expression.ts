/**
 * Lower-case letters, and letters without case, of the scripts that separate words by spaces. These few ranges replace
 * `\p{L}` where many words are matched: compiling the hundreds of ranges of `\p{L}` for every use would take longer than
 * reading a transcript.
 */
export const wordLetters: string = String.raw`a-z\u00df-\u024f\u0370-\u058f\u05d0-\u06ff\u0900-\u097f`;

/** An expression that is compiled when it is first used. */
export interface WordExpression {
  test(text: string): boolean;
  exec(text: string): RegExpExecArray | null;
}

/**
 * V8 translates an expression into bytecode first, and into machine code when it is used again, unless the first text has
 * at least 1,000 characters. For large expressions, the bytecode alone takes 18 ms, machine code 4 ms.
 */
const longText: string = '?'.repeat(1_000);

/**
 * Makes an expression for lower-case text. In it, `\p{L}` stands for {@link wordLetters}, and `\p{N}` for digits. It has
 * no flag `u`, with which each negated class takes several times as long to compile.
 */
export function wordExpression(source: string): WordExpression {
  let compiled: RegExp | undefined;
  const expression = (): RegExp => (compiled ??= compile(source));
  return { test: (text) => expression().test(text), exec: (text) => expression().exec(text) };
}

function compile(source: string): RegExp {
  const expression = new RegExp(
    source
      .replaceAll(String.raw`\p{N}`, String.raw`\d`)
      .replace(/(\[\^?)?\\p\{L\}/g, (_, opening?: string) =>
        opening === undefined ? `[${wordLetters}]` : opening + wordLetters,
      ),
  );
  expression.test(longText);
  return expression;
}
