import type { Span } from './finding.ts';
import { newlinesOf } from './mask.ts';
import { endAt, matchAt, startsAt } from './scan/sticky.ts';

/** What may precede the offset of a line: indentation, a quotation mark, a line number. */
const leadPattern = /[ \t>|+-]{0,16}(?:\d{1,6}[:|→][ \t]?|\d{1,6}\t)?/y;
/** The offset: `00000010: ` of xxd, `00000010  ` of hexdump and od. */
const offset = /(?:0x)?[\da-fA-F]{4,16}:[ \t]{1,2}|[\da-fA-F]{6,10}[ \t]{1,3}/y;
const groupsPattern = /(?:[\da-fA-F]{2}){1,4}(?: (?:[\da-fA-F]{2}){1,4}){0,31}(?![\da-zA-Z])/y;
/** The second half of a line of `hexdump -C`. */
const second = / {2}(?=[\da-fA-F]{2} ?[^\n]{0,60}\|)/y;
/** A line without offset: of `xxd -p`, or of pairs. */
const plain = /(?:[\da-fA-F]{32,512}|(?:[\da-fA-F]{2}[ :]){7,31}[\da-fA-F]{2})(?=[ \t]*(?:\r?\n|$))/y;
/** The cells of `od -c`. */
const cellsPattern = /(?: {3}[!-~]| {2}\\[0abtnvfr]| [0-7]{3}| {4}){1,16}(?=\r?\n|$)/y;
const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };
const readable = /^[\t\n\r -~]+$/;
/** Fewer bytes hold no secret that would be recognized. */
const minBytes = 8;

/** A line of a dump: what is masked of it, and the text of its bytes. */
interface DumpLine {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** The same, if its groups are little-endian words; otherwise empty. */
  readonly swapped: string;
}

type Search = (text: string) => readonly Span[];

/** Finds secrets in hex dumps and octal dumps of a text: each line that shows a part of one, without its offset. */
export function dumpSpans(text: string, search: Search): readonly Span[] {
  const spans: Span[] = [];
  let block: DumpLine[] = [];
  const close = (): void => {
    if (block.length > 0) spans.push(...spansOf(block, search));
    block = [];
  };
  for (let at = 0; at < text.length; ) {
    const newline = text.indexOf('\n', at);
    const lineEnd = newline < 0 ? text.length : newline;
    const line = readLine(text, at, lineEnd);
    if (line) block.push(line);
    else if (block.length > 0) close();
    at = lineEnd + 1;
  }
  close();
  return spans;
}

function readLine(text: string, from: number, lineEnd: number): DumpLine | null {
  const lead = endAt(leadPattern, text, from);
  const hasOffset = startsAt(offset, text, lead);
  const start = hasOffset ? offset.lastIndex : lead;
  if (hasOffset && startsAt(groupsPattern, text, start)) {
    let end = groupsPattern.lastIndex;
    if (startsAt(second, text, end) && startsAt(groupsPattern, text, second.lastIndex)) end = groupsPattern.lastIndex;
    if (end <= lineEnd) return hexLine(text.slice(start, end), start, lineEnd);
  }
  if (startsAt(plain, text, lead)) return hexLine(text.slice(lead, plain.lastIndex), lead, plain.lastIndex);
  // The blanks before the first cell belong to it.
  const cells = hasOffset ? matchAt(cellsPattern, text, start - blanksBefore(text, start)) : null;
  return cells ? { start, end: cellsPattern.lastIndex, text: charactersIn(cells[0]), swapped: '' } : null;
}

function blanksBefore(text: string, at: number): number {
  let count = 0;
  while (count < 3 && text.charCodeAt(at - 1 - count) === 32) count += 1;
  return count;
}

function hexLine(hex: string, start: number, end: number): DumpLine {
  const groups = hex.split(/ {1,2}|:/);
  const isWords = groups.every(({ length }) => length === 4);
  const swapped = isWords ? groups.map((group) => group.slice(2) + group.slice(0, 2)).join('') : '';
  return { start, end, text: bytesIn(groups.join('')), swapped: bytesIn(swapped) };
}

function bytesIn(hex: string): string {
  return hex.replace(/../g, (byte) => String.fromCharCode(Number.parseInt(byte, 16)));
}

function charactersIn(cells: string): string {
  return cells.replace(/.{4}/g, (cell) => {
    const shown = cell.trim();
    if (shown === '') return ' ';
    return shown.length > 1 ? (escapes[shown.slice(1)] ?? '\0') : shown;
  });
}

function spansOf(lines: readonly DumpLine[], search: Search): Span[] {
  return [textSpans(lines, search, ({ text }) => text), textSpans(lines, search, ({ swapped }) => swapped)].flat();
}

/** Two lines may become one span, if something else was found across their ends. */
const maskLine = (line: string): string => `***${newlinesOf(line)}`;

function textSpans(lines: readonly DumpLine[], search: Search, textOf: (line: DumpLine) => string): Span[] {
  const text = lines.map(textOf).join('');
  if (text.length < minBytes) return [];
  const found = search(text).filter(({ start, end }) => readable.test(text.slice(start, end)));
  const spans: Span[] = [];
  let [next, from] = [0, 0];
  for (const line of lines) {
    const to = from + textOf(line).length;
    while (next < found.length && found[next]!.end <= from) next += 1;
    const one = found[next];
    if (one && one.start < to)
      spans.push({ kind: one.kind, start: line.start, end: line.end, weight: 2, mask: maskLine });
    from = to;
  }
  return spans;
}
