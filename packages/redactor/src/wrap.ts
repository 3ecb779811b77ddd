import { looksRandom } from './value.ts';

const CONTINUATION = /\\?\r?\n([\w+/=-]{4,512})(?=[\s"'`,;)]|$)/y;

/** A terminal or an editor wraps no earlier than this. */
const NARROWEST = 40;

/**
 * Where a token that ends at `end` really ends: terminals break a long line inside a token, and the rest stands
 * at the start of the next line. The rest counts only when the line is long enough to have been wrapped and the
 * rest itself looks random.
 */
export function wrappedEnd(text: string, end: number): number {
  const next = text.charCodeAt(end);
  if (next !== 10 && next !== 13 && next !== 92) return end;
  if (end < NARROWEST || text.slice(end - NARROWEST, end).includes('\n')) return end;
  CONTINUATION.lastIndex = end;
  const rest = CONTINUATION.exec(text)?.[1];
  return rest !== undefined && looksRandom(rest, 6) ? CONTINUATION.lastIndex : end;
}
