/** Whatever some reader takes for the end of a line: those of Unicode (UAX 14, class BK, CR, LF, NL) and of old terminals. */
const lineEnds: RegExp = /\s*[\n\r\v\f\u0085\u2028\u2029]\s*/g;
const anyLineEnd: RegExp = /[\n\r\v\f\u0085\u2028\u2029]/;

/** The text on one line: what it says cannot begin a line of its own where it is listed. */
export function oneLine(text: string): string {
  return anyLineEnd.test(text) ? text.replace(lineEnds, ' ').trim() : text;
}
