import { endAt, matchAt, startsAt } from '../scan/sticky.ts';
import { looksRandom, statsOf } from '../values/looks-random.ts';

/** A line end inside a token, from a terminal or a shell continuation. */
const BREAK = /\\?\r?\n/y;
const CONTINUATION = /\\?\r?\n(?=([\w+/.-]{4,512}={0,2}))\1(?=[\s"'`,;)]|$)/y;

/** Smallest column at which a line is considered wrapped. */
const NARROWEST = 40;
/** One half of a broken token. */
const HALF = /[^\s"'`\\<>]{0,512}/y;

/** True if a line break (or a backslash) follows at `end`, and the line is long enough to have been wrapped. */
function isWrapped(text: string, end: number): boolean {
  const next = text.charCodeAt(end);
  return (
    (next === 10 || next === 13 || next === 92) && end >= NARROWEST && !text.slice(end - NARROWEST, end).includes('\n')
  );
}

/**
 * End of a token that may continue on the next line, because a terminal wrapped the line inside it. The start of the next
 * line counts only if the line is long enough to have been wrapped and the continuation looks random.
 */
export function wrappedEnd(text: string, end: number): number {
  if (!isWrapped(text, end)) return end;
  const rest = matchAt(CONTINUATION, text, end)?.[1];
  return rest !== undefined && isRest(rest) ? CONTINUATION.lastIndex : end;
}

/** True for random text, or for alternating letters and digits: no sentence begins like that. */
function isRest(rest: string): boolean {
  const { letters, digits, changes, length } = statsOf(rest);
  return (letters > 0 && digits > 0 && changes * 8 >= length && length >= 6) || looksRandom(rest, 6);
}

/** A token broken by a line wrap, with its two halves joined. */
export interface Joined {
  readonly text: string;
  /** Maps an index of the joined text to the original text. */
  place(index: number): number;
}

/** Joins the text from `start` to the end of its line with the start of the next line; null if the line is not wrapped. */
export function joinWrapped(text: string, start: number): Joined | null {
  const end = endAt(HALF, text, start);
  if (!isWrapped(text, end) || !startsAt(BREAK, text, end)) return null;
  const rest = BREAK.lastIndex;
  const restEnd = endAt(HALF, text, rest);
  // A mask does not continue on the next line, and an assignment is not a continuation.
  if (restEnd === rest || text.slice(start, end).includes('...') || /=\w/.test(text.slice(rest, restEnd))) return null;
  const first = end - start;
  return {
    text: text.slice(start, end) + text.slice(rest, restEnd),
    place: (index) => (index < first ? start + index : rest + index - first),
  };
}
