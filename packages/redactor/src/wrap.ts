import { endAt, matchAt, startsAt } from './sticky.ts';
import { looksRandom, textureOf } from './value.ts';

/** A line's end inside a token: a terminal's, or a shell's continuation. */
const BREAK = /\\?\r?\n/y;
const CONTINUATION = /\\?\r?\n(?=([\w+/.-]{4,512}={0,2}))\1(?=[\s"'`,;)]|$)/y;

/** A terminal or an editor wraps no earlier than this. */
const NARROWEST = 40;
/** No half of a token is longer. */
const HALF = /[^\s"'`\\<>]{0,512}/y;

/** True when at `end` a line may break, or an escape begin, that is long enough to have been wrapped. */
function isWrapped(text: string, end: number): boolean {
  const next = text.charCodeAt(end);
  return (
    (next === 10 || next === 13 || next === 92) && end >= NARROWEST && !text.slice(end - NARROWEST, end).includes('\n')
  );
}

/**
 * Where a token that ends at `end` really ends: terminals break a long line inside a token, and the rest stands
 * at the start of the next line. The rest counts only when the line is long enough to have been wrapped and the
 * rest itself looks random.
 */
export function wrappedEnd(text: string, end: number): number {
  if (!isWrapped(text, end)) return end;
  const rest = matchAt(CONTINUATION, text, end)?.[1];
  return rest !== undefined && isRest(rest) ? CONTINUATION.lastIndex : end;
}

/** True for what no sentence begins with: random text, or letters and digits in turn. */
function isRest(rest: string): boolean {
  const { letters, digits, changes, length } = textureOf(rest);
  return (letters > 0 && digits > 0 && changes * 8 >= length && length >= 6) || looksRandom(rest, 6);
}

/** A token's two halves, joined: what begins at `start` and breaks off at its line's end. Null when it does not. */
export interface Joined {
  readonly text: string;
  /** Index in the original of the character at `index` of the joined text. */
  place(index: number): number;
}

export function joinWrapped(text: string, start: number): Joined | null {
  const end = endAt(HALF, text, start);
  if (!isWrapped(text, end) || !startsAt(BREAK, text, end)) return null;
  const rest = BREAK.lastIndex;
  const restEnd = endAt(HALF, text, rest);
  // A mask is whole, and what is assigned on the next line is no rest.
  if (restEnd === rest || text.slice(start, end).includes('...') || /=\w/.test(text.slice(rest, restEnd))) return null;
  const first = end - start;
  return {
    text: text.slice(start, end) + text.slice(rest, restEnd),
    place: (index) => (index < first ? start + index : rest + index - first),
  };
}
