import { newlinesOf } from '../mask.ts';
import type { Matcher } from '../scan/matcher.ts';
import type { SearchState } from '../scan/search-state.ts';
import { startsAt } from '../scan/sticky.ts';
import { isFullLine, isNear, isNextLine, type KeyRun, keyRuns } from './key-runs.ts';

/** Start of a header or footer line, up to `PRIVATE KEY`. */
const openingPattern = /-{4,5} ?(BEGIN|END) (?:[A-Z0-9]{1,12} ){0,4}$/;
const closing = /PRIVATE KEY(?: BLOCK)? ?-{4,5}/y;
const footerPattern = /-{4,5} ?END (?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)? ?-{4,5}/y;
const maxKindLength = 63;
/** Longest key in characters, including the prefixes of its lines. */
const maxBlockLength = 1 << 16;
const lineEnd = /\r?\n|\\{1,8}[rn]/;

const marker = (block: string): string => `[REDACTED PRIVATE KEY]${newlinesOf(block)}`;
const rest = (lines: string): string => `***${newlinesOf(lines)}`;

/**
 * Reports lines (including header and footer) and the text between them as one key. If there is a quote between two lines (a
 * list of strings, a concatenation), they are reported separately, so that JSON stays valid.
 */
export function reportKey(state: SearchState, lines: readonly KeyRun[]): void {
  let { start: from, end: to } = lines[0]!;
  let mask = marker;
  for (const line of lines) {
    if (/["'`]/.test(state.text.slice(to, line.start))) {
      state.report({ kind: 'private-key', start: from, end: to, weight: 3, mask });
      from = line.start;
      mask = rest;
    }
    to = line.end;
  }
  state.report({ kind: 'private-key', start: from, end: to, weight: 3, mask });
}

/** Returns the lines of a truncated key: those of equal width after `from`, and at most one of another width after them. */
function findTruncatedLines(text: string, from: number, runs: readonly KeyRun[]): readonly KeyRun[] {
  let width = 0;
  let to = from;
  for (const [index, run] of runs.entries()) {
    if (!isNextLine(text, to, run.start) && (width > 0 || !isFullLine(run) || !isNear(text, to, run.start)))
      return runs.slice(0, index);
    const length = run.end - run.start;
    if (width > 0 && length !== width) return runs.slice(0, index + 1);
    width = length;
    to = run.end;
  }
  return runs;
}

/** True if a block has only short lines of base64. */
function isShortBody(body: string): boolean {
  const lines = body.length < 400 ? body.split(lineEnd) : [];
  return lines.length > 1 && lines.every((line) => /^[A-Za-z0-9+/=]{0,40}$/.test(line.trim())) && /\w{4}/.test(body);
}

/** How a format ends a key. */
interface Format {
  /** Matches the footer. */
  readonly footer: RegExp;
  /** How a footer may begin. */
  readonly ends: readonly string[];
}

/** Reports a key from its header (`head`, which ends at `from`) to its footer; if truncated, to its last line. */
function matchHeader(state: SearchState, head: readonly KeyRun[], from: number, { footer, ends }: Format): void {
  const { text } = state;
  const next = (mark: string): number => state.next(mark, from);
  const limit = Math.min(...['-- BEGIN ', '--BEGIN ', 'Private-Lines:'].map(next), from + maxBlockLength);
  const footerAt = Math.min(...ends.map(next));
  const to = Math.min(limit, footerAt);
  const runs = keyRuns(text, from, to);
  if (footerAt < limit) {
    let footerStart = footerAt;
    while (text[footerStart - 1] === '-' && !text.startsWith('-----', footerStart)) footerStart -= 1;
    const stops = [from, ...runs.map(({ end }) => end)];
    const isWhole = stops.every((stop, index) => isNear(text, stop, runs[index]?.start ?? footerStart));
    const isKey = runs.length > 0 || isShortBody(text.slice(from, footerStart));
    if (isWhole && isKey && startsAt(footer, text, footerStart)) {
      reportKey(state, [...head, ...runs, { start: footerStart, end: footer.lastIndex }]);
      return;
    }
  }
  const lines = findTruncatedLines(text, from, runs);
  if (lines.length > 0) reportKey(state, [...head, ...lines]);
}

/** Reports a key whose header is missing: the lines before its footer. */
function matchFooter(state: SearchState, start: number, end: number): void {
  const { text } = state;
  const from = Math.max(state.searched.get('private-key') ?? 0, state.decidedTo, start - maxBlockLength);
  state.searched.set('private-key', end);
  const runs = keyRuns(text, from, start);
  let [first, to, width] = [runs.length, start, 0];
  for (let index = runs.length - 1; index >= 0; index -= 1) {
    const run = runs[index]!;
    const length = run.end - run.start;
    if (!isNextLine(text, run.end, to) || (width > 0 && length !== width)) break;
    // Only the last line may be short.
    if (isFullLine(run)) width = length;
    else if (first < runs.length) break;
    [first, to] = [index, run.start];
  }
  if (width > 0) reportKey(state, [...runs.slice(first), { start, end }]);
}

const pem: Format = { footer: footerPattern, ends: ['-- END ', '--END '] };

function matchBlock(state: SearchState, at: number): void {
  const { text } = state;
  const opening = openingPattern.exec(text.slice(Math.max(0, at - maxKindLength), at));
  if (!opening || !startsAt(closing, text, at)) return;
  const start = at - opening[0].length;
  if (start < state.decidedTo) return;
  if (opening[1] === 'END') matchFooter(state, start, closing.lastIndex);
  else matchHeader(state, [{ start, end: closing.lastIndex }], closing.lastIndex, pem);
}

/** Matches before the checksum line, which is not masked. */
const puttyFooter = /(?=Private-(?:MAC|Hash):)/y;
const putty: Format = { footer: puttyFooter, ends: ['Private-MAC:', 'Private-Hash:'] };
const puttyCount = /[ \t]{1,8}\d{1,4}/y;

/** Matches PuTTY's `.ppk`: the lines from `Private-Lines: 14` to the checksum. */
function matchPutty(state: SearchState, at: number, length: number): void {
  const { text } = state;
  if (at < state.decidedTo || !startsAt(puttyCount, text, at + length)) return;
  matchHeader(state, [], puttyCount.lastIndex, putty);
}

/**
 * Matchers for PEM, PGP, SSH2 and PuTTY private keys, whole or truncated at either end, with any prefix on their lines
 * (line numbers, log prefixes, diff marks, indents, quotes). A block becomes one marker and keeps its newlines.
 */
export const privateKeyMatchers: readonly Matcher[] = [
  { keywords: ['PRIVATE KEY'], caseSensitive: true, match: matchBlock },
  { keywords: ['Private-Lines:'], caseSensitive: true, match: matchPutty },
];
