/** Encoded data says nothing, and the middle of a key block would escape rules that look for its beginning. */
const encoded = /[A-Za-z0-9+/=]{48}/;

/** Lines by which a harness introduces or closes a result, and which only repeat what the stub says already. */
const framing =
  /^(?:Found \d[\d,]{0,9} (?:match|file|result|total)|No (?:matches|files) found|Here's the result of running `|<\/?(?:path|type|content|file|entries|output)>|\[File: |\(\d+ more lines |Review the changes and make sure)/;

/** Lines looked at before giving up on finding some worth quoting. */
const most = 60;
/** How much of a line is looked at, in characters. */
const lineLength = 400;

/** The first lines of an output worth quoting, trimmed: as many as there is room for, and one in any case. */
export function linesFrom(output: string, room: number, gutter: RegExp | null): string[] {
  const found: string[] = [];
  let left = room;
  for (let at = 0, seen = 0; at < output.length && seen < most; seen++) {
    const next = output.indexOf('\n', at);
    const end = next < 0 ? output.length : next;
    const line = worth(output.slice(at, Math.min(end, at + lineLength)), gutter);
    at = end + 1;
    if (line === null) continue;
    if (found.length > 0 && line.length > left) break;
    found.push(line);
    left -= line.length + 1;
  }
  return found;
}

/** The last lines of an output worth quoting, in their order: as many as there is room for, and one in any case. */
export function linesUpTo(output: string, room: number, gutter: RegExp | null): string[] {
  const found: string[] = [];
  let left = room;
  for (let end = output.length, seen = 0; end > 0 && seen < most; seen++) {
    const start = output.lastIndexOf('\n', end - 1) + 1;
    const line = worth(output.slice(start, Math.min(end, start + lineLength)), gutter);
    end = start - 1;
    if (line === null) continue;
    if (found.length > 0 && line.length > left) break;
    found.push(line);
    left -= line.length + 1;
  }
  return found.reverse();
}

function worth(raw: string, gutter: RegExp | null): string | null {
  const line = (gutter ? raw.replace(gutter, '') : raw).trim();
  return line.length <= 2 || framing.test(line) || (line.length >= 48 && encoded.test(line)) ? null : line;
}
