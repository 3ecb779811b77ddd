/**
 * Lower-case letters, and letters without case, of scripts that separate words with spaces. These few ranges replace
 * `\p{L}` in expressions with many words: compiling its hundreds of ranges for every use would take longer than reading
 * a transcript.
 */
export const wordLetters: string = String.raw`a-z\u00df-\u024f\u0370-\u058f\u05d0-\u06ff\u0900-\u097f`;

/** A regular expression that is compiled on first use. */
export interface WordExpression {
  test(text: string): boolean;
  exec(text: string): RegExpExecArray | null;
}

/**
 * A text that makes V8 compile an expression to machine code at once. For texts under 1,000 characters, V8 first
 * compiles bytecode, and machine code only on a later use. For large expressions, bytecode takes 18 ms, machine code 4
 * ms.
 */
const longText: string = '?'.repeat(1_000);

/**
 * Creates an expression for lower-case text. In the source, `\p{L}` stands for {@link wordLetters}, and `\p{N}` for
 * digits. The expression does not use the flag `u`, with which negated classes take several times as long to compile.
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
