/** What stands between a line's number and the line. */
const gutterEnds = '\u2192\t|:';

/**
 * First and last line number in the gutter of what a read shows; `null` when its lines are not numbered one after the
 * other from somewhere near its beginning to its end. Looks at both ends only.
 */
export function shownLines(output: string): readonly [first: number, last: number] | null {
  let first: number | null = null;
  let at = 0;
  // A few lines of introduction may stand in front.
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

/** The number of the last line, remarks of the harness aside; `null` when that line has none. */
function lastNumber(output: string): number | null {
  // Looking for a bracket is cheaper than for a line break, of which there are many.
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

/** The number in the gutter of the line that begins at `at`; `null` when there is none. */
function numberAt(text: string, at: number): number | null {
  let start = at;
  while (start < at + 8 && text.charCodeAt(start) <= 32) start++;
  let end = start;
  let number = 0;
  for (let code = text.charCodeAt(end); code >= 48 && code <= 57; code = text.charCodeAt(++end))
    number = number * 10 + code - 48;
  return end > start && end - start <= 7 && gutterEnds.includes(text.charAt(end)) && end < text.length ? number : null;
}
