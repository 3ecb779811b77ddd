/** Control characters, which a terminal obeys, and direction overrides, which make text look like other text. */
const unprintable: RegExp = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]+/g;

/**
 * Makes text of unknown origin safe to print, on one line: escape sequences in a file name or a message are removed.
 * @param limit longest result in characters; the rest becomes an ellipsis. @default 200
 */
export function printable(text: string, limit = 200): string {
  // The beginning is enough, even of a message of megabytes.
  const line = text
    .slice(0, limit * 8)
    .replace(unprintable, ' ')
    .trim();
  return line.length > limit ? `${line.slice(0, limit - 1).replace(/[\ud800-\udbff]$/, '')}…` : line;
}
