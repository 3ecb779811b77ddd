import { SearchState } from '../scan/search-state.ts';
import { endAt, matchAt, startsAt } from '../scan/sticky.ts';
import { looksRandom, statsOf } from '../values/looks-random.ts';

/** A line end inside a token, from a terminal, an editor or a shell continuation, and the indentation after it. */
const breakPattern = /\\?\r?\n[ \t]{0,80}/y;
const continuation = /\\?\r?\n[ \t]{0,80}(?=([\w+/.-]{4,512}={0,2}))\1(?=[\s"'`,;)\\]|$)/y;

/** Smallest column at which a line is considered wrapped. */
const minWrapColumn = 40;
/** A narrower line is considered wrapped if it holds nothing but at least so much of the token. */
const minPieceLength = 12;
/** Longest piece of a broken token. */
const maxPieceLength = 512;
const piecePattern = /[^\s"'`\\<>]{0,512}/y;
/** A token broken into more lines is masked only in these. */
const maxLines = 24;
/** After how many pieces a broken token is looked for, and how many tokens of one run of characters are. */
const tried: ReadonlySet<number> = new Set([2, 3, 4, 6, 8, 12, 16, maxLines]);
const maxBroken = 2;
/** How many pieces of a token of open length are needed to recognize it. */
const firstPieces = 4;

/** True if a line break (or a backslash before one) follows at `end`. */
function isLineEnd(text: string, end: number): boolean {
  const next = text.charCodeAt(end);
  return next === 10 || next === 13 || (next === 92 && isBreakAfterBackslash(text.charCodeAt(end + 1)));
}

const isBreakAfterBackslash = (code: number): boolean => code === 10 || code === 13;

/** True if the line that ends at `end` continues: it ends with a backslash, or is long enough to have been wrapped. */
function isWrapped(text: string, end: number): boolean {
  if (!isLineEnd(text, end)) return false;
  return text.charCodeAt(end) === 92 || isLong(text, end);
}

const isLong = (text: string, end: number): boolean =>
  end >= minWrapColumn && !text.slice(end - minWrapColumn, end).includes('\n');

/** True if only blanks precede `start` on its line. */
const isLineStart = (text: string, start: number): boolean =>
  /(?:^|\n)[ \t]{0,80}$/.test(text.slice(Math.max(0, start - 81), start));

/**
 * End of a token that may continue on the next lines, because a terminal or an editor wrapped the line inside it. The start
 * of a further line counts only if the line before it was wrapped and the continuation looks random.
 * @param token if given, narrow lines count too: those that it fills, all of the same width but the last
 */
export function endOfWrapped(text: string, end: number, token?: TokenStart): number {
  let to = end;
  let width = token ? columnWidth(text, token) : 0;
  for (let line = 1; line < maxLines && (isWrapped(text, to) || (width > 0 && isLineEnd(text, to))); line += 1) {
    const rest = matchAt(continuation, text, to)?.[1];
    const after = continuation.lastIndex;
    if (rest === undefined) break;
    const fills = width > 0 && rest.length <= width && (after === text.length || isLineEnd(text, after));
    // A backslash inside a word leaves no doubt that it continues.
    const goesOn = fills || text.charCodeAt(to) === 92;
    if (!isRest(rest) && !(goesOn && isLastPiece(rest))) break;
    if (!isWrapped(text, to) && !fills) break;
    to = after;
    if (rest.length < width) width = 0;
  }
  return to;
}

/** Where a token begins, and the part after its prefix. */
export interface TokenStart {
  readonly start: number;
  readonly body: number;
  /** True if its length is open: it is recognized by its first few lines. */
  readonly isOpen: boolean;
}

/** Length of a token's first piece if it fills a narrow line with random text; otherwise 0. */
function columnWidth(text: string, { start, body }: TokenStart): number {
  const end = endAt(piecePattern, text, start);
  const fills = end - start >= minPieceLength && isLineEnd(text, end) && isLineStart(text, start);
  return fills && isRest(text.slice(body, end)) ? end - start : 0;
}

/** True for characters that are neither a word nor a number. */
const isLastPiece = (rest: string): boolean => /[a-z]/i.test(rest) && /[A-Z\d]/.test(rest.slice(1));

/** True for random text, or for alternating letters and digits: no sentence begins like that. */
function isRest(rest: string): boolean {
  const { letters, digits, changes, length } = statsOf(rest);
  return (letters > 0 && digits > 0 && changes * 8 >= length && length >= 6) || looksRandom(rest, 6);
}

/** A token broken by line wraps, with its pieces joined. */
export interface Joined {
  readonly state: SearchState;
  /** Maps an index of the joined text to the original text. */
  place(index: number): number;
}

/**
 * Joins the text from `start` to the end of its line with the starts of the next ones: first of one, then of two, and so on.
 * Yields nothing if the line is not wrapped.
 */
export function* joinWrapped(state: SearchState, token: TokenStart): Generator<Joined> {
  const { text } = state;
  const { start } = token;
  let end = state.runEnd(start);
  if (end - start > maxPieceLength || !isLineEnd(text, end) || text.slice(start, end).includes('...')) return;
  if (!state.mayTryAgain('wrap', end, maxBroken)) return;
  const width = columnWidth(text, token);
  const pieces: (readonly [from: number, to: number])[] = [[start, end]];
  const join = (): Joined => {
    const parts = pieces.map(([from, to]) => text.slice(from, to));
    return { state: new SearchState(parts.join(''), true), place: placeIn([...pieces]) };
  };
  const maxPieces = token.isOpen ? firstPieces : maxLines;
  while (pieces.length < maxPieces && (isWrapped(text, end) || (width > 0 && isLineEnd(text, end)))) {
    const isNarrow = !isWrapped(text, end);
    if (!startsAt(breakPattern, text, end)) break;
    const from = breakPattern.lastIndex;
    end = endAt(piecePattern, text, from);
    const piece = text.slice(from, end);
    // A mask does not continue on the next line, and an assignment is not a continuation.
    if (piece === '' || piece.includes('...') || /=\w/.test(piece)) break;
    if (isNarrow && !(isRest(piece) && piece.length <= width)) break;
    pieces.push([from, end]);
    if (tried.has(pieces.length)) yield join();
  }
  if (!tried.has(pieces.length) && pieces.length > 1) yield join();
}

function placeIn(pieces: readonly (readonly [from: number, to: number])[]): (index: number) => number {
  return (index) => {
    let left = index;
    for (const [from, to] of pieces) {
      if (left < to - from) return from + left;
      left -= to - from;
    }
    return pieces.at(-1)![1];
  };
}
