/**
 * Matches a line that opens or closes a code fence: at most three spaces, then three or more equal marks (CommonMark
 * 0.31, 4.5).
 */
const fenceLine: RegExp = /^ {0,3}(`{3,}|~{3,})([^\n]*)$/;

interface FenceLine {
  readonly line: number;
  readonly mark: string;
  readonly length: number;
  readonly bare: boolean;
}

/** The lines of one fenced block: `from` is its opening line, `to` the line after its closing one. */
export interface FencedBlock {
  readonly from: number;
  readonly to: number;
}

/**
 * Finds the closed code fences in the lines, in order. An unclosed fence counts as an ordinary line, so that it does
 * not hide all headings after it.
 */
export function findFencedBlocks(lines: readonly string[]): FencedBlock[] {
  const fences = lines.flatMap((text, line) => readFenceLine(text, line) ?? []);
  const blocks: FencedBlock[] = [];
  // Fence lengths that have no closing line in the rest of the text. Limits the cost to one pass per length.
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
    blocks.push({ from: open.line, to: fences[close]!.line + 1 });
    at = close;
  }
  return blocks;
}

/** For each line, 1 if it is inside a closed code fence or is one of its fence lines, otherwise 0. */
export function markFencedLines(lines: readonly string[]): Uint8Array {
  const inside = new Uint8Array(lines.length);
  for (const { from, to } of findFencedBlocks(lines)) inside.fill(1, from, to);
  return inside;
}

/** Wraps a text in a fenced block that nothing in the text can close. */
export function fenceText(text: string): string {
  let longest = 2;
  for (const [run] of text.matchAll(/`{3,}/g)) longest = Math.max(longest, run.length);
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}

/** True for a line that can open or close a fence. */
export function isFenceLine(line: string): boolean {
  return readFenceLine(line, 0) !== null;
}

/** Escapes unpaired fence lines, so that they cannot open or close a block in later text. */
export function withoutLooseFences(text: string): string {
  return escapeLines(text, isFenceLine);
}

/** Puts a backslash before each line outside of code fences that `isRisky` selects, given the line and the one before. */
export function escapeLines(text: string, isRisky: (line: string, before: string) => boolean): string {
  const lines = text.replace(/\r\n?/g, '\n').split('\n');
  const inside = markFencedLines(lines);
  return lines
    .map((line, at) => (!inside[at] && isRisky(line, lines[at - 1] ?? '') ? `\\${line.trimStart()}` : line))
    .join('\n');
}

function readFenceLine(text: string, line: number): FenceLine | null {
  const found = fenceLine.exec(text);
  if (!found) return null;
  const info = found[2]!.trim();
  // An info string with a backtick makes it inline code, not a fence.
  if (found[1]![0] === '`' && info.includes('`')) return null;
  return { line, mark: found[1]![0]!, length: found[1]!.length, bare: info === '' };
}

function closes(candidate: FenceLine, open: FenceLine): boolean {
  return candidate.bare && candidate.mark === open.mark && candidate.length >= open.length;
}
