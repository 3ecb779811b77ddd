/** Characters that separate a line number from its line. */
const gutterEnds = '\u2192\t|:';

/**
 * Reads the first and last line number of a numbered listing, as file readers print it. Reads only both ends of the
 * text.
 * @returns `null` if the lines are not numbered consecutively from near the beginning to the end
 */
export function readLineRange(output: string): readonly [first: number, last: number] | null {
  let first: number | null = null;
  let at = 0;
  // A few lines may precede the listing.
  for (let skipped = 0; first === null && skipped < 8 && at >= 0 && at < output.length; skipped++) {
    first = numberAt(output, at);
    at = output.indexOf('\n', at) + 1 || -1;
  }
  if (first === null) return null;
  const second = at > 0 ? numberAt(output, at) : null;
  if (second !== null && second !== first + 1) return null;
  const last = lastNumber(output);
  const claimed =
    last !== null && last >= first && (last - first) * 2 <= output.length && (second !== null || last === first);
  return claimed ? [first, last] : null;
}

/** Returns the number of the last line before any remarks of a harness; `null` if that line has none. */
function lastNumber(output: string): number | null {
  // Searching for `<` is faster than searching for line breaks, which are far more frequent.
  let reminder = output.indexOf('<system-reminder>');
  while (reminder >= 0 && output[reminder - 1] !== '\n') reminder = output.indexOf('<system-reminder>', reminder + 1);
  let end = reminder < 0 ? output.length : reminder - 1;
  while (end > 0) {
    const start = output.lastIndexOf('\n', end - 1) + 1;
    const line = output.slice(start, Math.min(end, start + 40));
    if (line.trim() !== '' && !/^\s*[(<[]/.test(line)) return numberAt(line, 0);
    end = start - 1;
  }
  return null;
}

/** The number in front of the line that starts at `at`, or `null`. */
function numberAt(text: string, at: number): number | null {
  let start = at;
  while (start < at + 8 && text.charCodeAt(start) <= 32) start++;
  let end = start;
  let number = 0;
  for (let code = text.charCodeAt(end); code >= 48 && code <= 57; code = text.charCodeAt(++end))
    number = number * 10 + code - 48;
  return end > start && end - start <= 7 && gutterEnds.includes(text.charAt(end)) && end < text.length ? number : null;
}
