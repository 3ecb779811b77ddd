/** Control characters and direction overrides: what a terminal obeys, and what makes text look like other text. */
const unprintable: RegExp = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]+/g;

/** Text of unknown origin for a terminal, on one line, cut to so many characters. */
export function printable(text: string, limit: number): string {
  const line = text
    .slice(0, limit * 8)
    .replace(unprintable, ' ')
    .trim();
  return line.length > limit ? `${line.slice(0, limit - 1).replace(/[\ud800-\udbff]$/, '')}…` : line;
}
