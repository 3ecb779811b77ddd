/**
 * Matches encoded data, which is never quoted: a redaction rule that looks for the start of a key would miss its
 * middle.
 */
const encoded = /[A-Za-z0-9+/=]{48}/;

/** Matches lines that a harness adds around a result. They repeat what a stub states anyway. */
const framing =
  /^(?:Found \d[\d,]{0,9} (?:match|file|result|total)|No (?:matches|files) found|Here's the result of running `|<\/?(?:path|type|content|file|entries|output)>|\[File: |\(\d+ more lines |Review the changes and make sure)/;

/** Maximum number of lines to read. */
const maxLines = 60;
/** Maximum characters to read of each line. */
const lineLength = 400;

/** Returns the first lines worth quoting, trimmed: as many as fit, but at least one if there is any. */
export function linesFrom(output: string, room: number, gutter: RegExp | null): string[] {
  const found: string[] = [];
  let left = room;
  for (let at = 0, seen = 0; at < output.length && seen < maxLines; seen++) {
    const next = output.indexOf('\n', at);
    const end = next < 0 ? output.length : next;
    const line = quotable(output.slice(at, Math.min(end, at + lineLength)), gutter);
    at = end + 1;
    if (line === null) continue;
    if (found.length > 0 && line.length > left) break;
    found.push(line);
    left -= line.length + 1;
  }
  return found;
}

/** Returns the last lines worth quoting, trimmed and in order: as many as fit, but at least one if there is any. */
export function linesUpTo(output: string, room: number, gutter: RegExp | null): string[] {
  const found: string[] = [];
  let left = room;
  for (let end = output.length, seen = 0; end > 0 && seen < maxLines; seen++) {
    const start = output.lastIndexOf('\n', end - 1) + 1;
    const line = quotable(output.slice(start, Math.min(end, start + lineLength)), gutter);
    end = start - 1;
    if (line === null) continue;
    if (found.length > 0 && line.length > left) break;
    found.push(line);
    left -= line.length + 1;
  }
  return found.reverse();
}

/** Returns the line as it would be quoted; `null` if it is not worth quoting. */
function quotable(raw: string, gutter: RegExp | null): string | null {
  const line = (gutter ? raw.replace(gutter, '') : raw).trim();
  return line.length <= 2 || framing.test(line) || (line.length >= 48 && encoded.test(line)) ? null : line;
}
