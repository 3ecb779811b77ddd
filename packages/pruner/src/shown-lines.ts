const gutter = /\s{0,8}(\d{1,7})[\u2192\t|:]/y;

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

function numberAt(text: string, at: number): number | null {
  gutter.lastIndex = at;
  const found = gutter.exec(text);
  return found ? Number(found[1]) : null;
}
