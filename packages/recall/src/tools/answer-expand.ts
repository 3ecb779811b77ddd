import { startOf } from '@palimpsest/pruner/salience';
import type { Entry } from '../hidden/hidden-index.ts';
import { readRef } from '../hidden/ref.ts';
import { eachRow } from '../hidden/rows.ts';
import { BoundedAnswer, numberRow } from './answer.ts';
import { type CallArguments, readLines, someText, wholeNumber } from './arguments.ts';
import type { ToolContext } from './tool-context.ts';
import { defaultContext, maxContext } from './tool-schemas.ts';

/** Tokens reserved for the last line, which says how to continue. */
const tokensOfLastLine = 80;
/** A row that does not fit is cut, but never to fewer characters than this. */
const minCutLength = 16;

/** The rows of a text: where each begins, ends, and where its line ends. */
interface Rows {
  readonly from: number[];
  readonly to: number[];
  readonly lineEnd: number[];
}

/** What is shown of a text, and where it is written. */
interface Shown {
  readonly answer: BoundedAnswer;
  readonly entry: Entry;
  readonly rows: Rows;
}

/** Answers a call of `expand`. */
export function answerExpand(input: CallArguments, context: ToolContext): string {
  const written = someText(input.ref);
  if (written === null) return 'expand needs "ref": one that recall returned.';
  const ref = readRef(written);
  const entry =
    ref === null ? undefined : (context.index.get(ref) ?? context.index.get(context.aliases.get(ref) ?? ''));
  if (!entry) return explainUnknownRef(ref, context);
  const rows = rowsOf(entry.text);
  const total = rows.from.length;
  const [first, last] = readLines(input.lines) ?? [1, total];
  const answer = new BoundedAnswer(context.count, context.maxTokens);
  answer.add([`ref ${entry.ref}: ${entry.head}, ${total} lines`]);
  if (first > total) return `${answer.text()}\nIt has no line ${first}.`;
  const to = Math.min(total, last);
  const pattern = someText(input.pattern);
  const shown = { answer, entry, rows };
  if (pattern === null) addPage(shown, [first, to]);
  else addMatches(shown, [first, to], pattern, wholeNumber(input.context, 0, maxContext, defaultContext));
  return answer.text();
}

function addPage(page: Shown, [first, to]: readonly [number, number]): void {
  const { answer, entry } = page;
  const next = addRows(page, first, to);
  if (next <= to) answer.add([`More: expand {"ref":"${entry.ref}","lines":"${next}-${to}"}`]);
}

/** Adds the matching rows with the rows around them, as far as they fit. */
function addMatches(page: Shown, [first, to]: readonly [number, number], pattern: string, around: number): void {
  const { answer, entry, rows } = page;
  const matcher = compilePattern(pattern);
  const matches: number[] = [];
  for (let row = first; row <= to; row++) if (matchesRow(entry.text, rows, row - 1, matcher)) matches.push(row);
  if (matches.length === 0) {
    const range = first === 1 && to === rows.from.length ? '' : ` of lines ${first}-${to}`;
    answer.add([`No line${range} has this pattern. Do not look for it here again.`]);
    return;
  }
  answer.add([`${matches.length} matching lines`]);
  let shown = first - 1;
  for (const match of matches) {
    const from = Math.max(shown + 1, match - around);
    const until = Math.min(to, match + around);
    if (until < from) continue;
    if (shown >= first && from > shown + 1) answer.add(['...'], tokensOfLastLine);
    const next = addRows(page, from, until);
    shown = next - 1;
    if (next > until) continue;
    const rest = matches.filter((row) => row >= next).length;
    const call = JSON.stringify({ ref: entry.ref, pattern: startOf(pattern, 100), lines: `${next}-${to}` });
    answer.add([rest > 0 ? `More: expand ${call}` : '...']);
    return;
  }
}

/** Adds rows while they fit. Cuts the first one if necessary. @returns the first row that was not added */
function addRows({ answer, entry, rows }: Shown, from: number, to: number): number {
  for (let row = from; row <= to; row++) {
    const text = entry.text.slice(rows.from[row - 1], rows.to[row - 1]);
    if (answer.add([numberRow(row, text)], tokensOfLastLine)) continue;
    if (row > from) return row;
    // A single row may exceed a small limit. Then its beginning is shown.
    for (let length = text.length >> 1; length >= minCutLength; length >>= 1)
      if (answer.add([`${numberRow(row, startOf(text, length))}…`], tokensOfLastLine)) return row + 1;
    return row;
  }
  return to + 1;
}

/** True if a match begins in the row. It may extend into the next piece of a wrapped line. */
function matchesRow(text: string, rows: Rows, row: number, matcher: (lowerText: string) => number): boolean {
  const from = rows.from[row]!;
  const to = rows.to[row]!;
  const next = to < rows.lineEnd[row]! ? rows.to[row + 1]! : to;
  const at = matcher(text.slice(from, next).toLowerCase());
  return at >= 0 && at < to - from;
}

function rowsOf(text: string): Rows {
  const rows: Rows = { from: [], to: [], lineEnd: [] };
  eachRow(text, 0, text.length, (from, to, lineEnd) => {
    rows.from.push(from);
    rows.to.push(to);
    rows.lineEnd.push(lineEnd);
    return true;
  });
  return rows;
}

function explainUnknownRef(ref: string | null, { formerHeads, isIncomplete }: ToolContext): string {
  const head = ref === null ? undefined : formerHeads.get(ref);
  if (head !== undefined)
    return `The text of this ref is no longer hidden or was edited: ${head}. Look for it in your context, or run this call again. Do not use the ref again.`;
  const reason = isIncomplete ? ' Older messages could not be read now.' : '';
  return `No hidden text of this conversation has this ref.${reason} Do not use it again. Call recall with names from the text, or run the call that shows it again.`;
}

/** Longer patterns are cut; more alternatives are ignored. */
const maxPatternLength = 300;
const maxAlternatives = 8;

/** Finds the first match in a lower-case text. @returns its index, or -1 */
type Matcher = (lowerText: string) => number;

/**
 * Compiles a pattern: plain text, compared without case, in which `*` stands for any characters and `|` separates
 * alternatives. Matching is linear for every input, unlike a regular expression that a model wrote.
 */
export function compilePattern(pattern: string): Matcher {
  const alternatives = pattern
    .slice(0, maxPatternLength)
    .toLowerCase()
    .split('|')
    .slice(0, maxAlternatives)
    .map((alternative) => alternative.split('*').filter((piece) => piece !== ''))
    .filter((pieces) => pieces.length > 0);
  return (text) => {
    let first = -1;
    for (const pieces of alternatives) {
      const at = indexOfPieces(text, pieces);
      if (at >= 0 && (first < 0 || at < first)) first = at;
    }
    return first;
  };
}

/** Index of the first piece, if all pieces follow in order; otherwise -1. */
function indexOfPieces(text: string, pieces: readonly string[]): number {
  const start = text.indexOf(pieces[0]!);
  let end = start < 0 ? -1 : start + pieces[0]!.length;
  for (let at = 1; at < pieces.length && end >= 0; at++) {
    const found = text.indexOf(pieces[at]!, end);
    end = found < 0 ? -1 : found + pieces[at]!.length;
  }
  return end < 0 ? -1 : start;
}
