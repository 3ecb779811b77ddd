/**
 * Matches characters that some readers treat as line ends: Unicode (UAX 14, classes BK, CR, LF, NL) and old terminals.
 */
const lineEnds: RegExp = /[\n\r\v\f\u0085\u2028\u2029]+/;

/** Puts a text on one line, so that no part of it can start a new line in a list. */
export function oneLine(text: string): string {
  if (!lineEnds.test(text)) return text;
  const lines = text.split(lineEnds).map((line) => line.trim());
  return lines.filter((line) => line !== '').join(' ');
}
