/** Control characters and direction overrides: what a terminal obeys, and what makes text look like other text. */
const unprintable: RegExp = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]+/g;

/**
 * Text of unknown origin for a terminal, on one line: escape sequences in a file name or a message must not reach it.
 * @param limit cut to this many characters, with an ellipsis. @default 200
 */
export function printable(text: string, limit = 200): string {
  // A window of the text is enough: a message of megabytes is shown as a line.
  const line = text
    .slice(0, limit * 8)
    .replace(unprintable, ' ')
    .trim();
  return line.length > limit ? `${line.slice(0, limit - 1).replace(/[\ud800-\udbff]$/, '')}…` : line;
}
