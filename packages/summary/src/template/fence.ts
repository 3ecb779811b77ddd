/** A line that opens or closes a code fence: at most three spaces, three or more of one mark (CommonMark 0.31, 4.5). */
const fenceLine: RegExp = /^ {0,3}(`{3,}|~{3,})([^\n]*)$/;

interface FenceLine {
  readonly line: number;
  readonly mark: string;
  readonly length: number;
  readonly bare: boolean;
}

/**
 * Which lines stand inside a code fence, the fence lines included; flags of 1 and 0. A fence that is never closed is
 * taken for an ordinary line: a model that forgot to close one must not hide all headings after it.
 */
export function fencedLines(lines: readonly string[]): Uint8Array {
  const inside = new Uint8Array(lines.length);
  const fences: FenceLine[] = [];
  lines.forEach((text, line) => {
    const found = fenceLine.exec(text);
    if (!found) return;
    const info = found[2]!.trim();
    // An info string with a backtick makes it inline code, not a fence.
    if (found[1]![0] === '`' && info.includes('`')) return;
    fences.push({ line, mark: found[1]![0]!, length: found[1]!.length, bare: info === '' });
  });
  // Lengths known to have no closing line any more, so that a text full of openings still costs one pass per length.
  const hopeless = new Map<string, number>();
  for (let at = 0; at < fences.length; at++) {
    const open = fences[at]!;
    if (open.length >= (hopeless.get(open.mark) ?? Number.POSITIVE_INFINITY)) continue;
    let close = at + 1;
    while (close < fences.length && !closes(fences[close]!, open)) close++;
    if (close === fences.length) {
      hopeless.set(open.mark, open.length);
      continue;
    }
    inside.fill(1, open.line, fences[close]!.line + 1);
    at = close;
  }
  return inside;
}

/** The text as a fenced block that nothing inside of it can close. */
export function fenced(text: string): string {
  let longest = 2;
  for (const [run] of text.matchAll(/`{3,}/g)) longest = Math.max(longest, run.length);
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}

function closes(candidate: FenceLine, open: FenceLine): boolean {
  return candidate.bare && candidate.mark === open.mark && candidate.length >= open.length;
}
