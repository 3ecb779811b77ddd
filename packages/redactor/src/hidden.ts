import type { Span } from './finding.ts';

/** An escape character as it is, or as JSON (however deeply nested) and shells write it. */
const ESCAPE = '(?:\\x1b|\\x9b|(?<!\\\\)\\\\{1,15}(?:u001[bB]|x1[bB]|033))';
/** What follows it: a control sequence (colours), an operating system command (titles, links), a character set. */
const SEQUENCE = '(?:\\[[0-9;:?<>=]{0,32}[ -/]{0,2}[@-~]|\\][^\\x07\\x1b\\n]{0,256}(?:\\x07|\\x1b\\\\))?';
/** Soft hyphen, grapheme joiner, zero-width and direction marks, word joiner, variation selectors, byte order mark. */
const ZERO_WIDTH = '[\\xad\\u034f\\u061c\\u180e\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2069\\ufe00-\\ufe0f\\ufeff]';
const WRITTEN_ZERO_WIDTH = '(?<!\\\\)\\\\{1,15}u(?:200[b-fB-F]|2060|00[aA][dD]|[fF][eE][fF]{2})';

export const HIDDEN: RegExp = new RegExp(`${ESCAPE}${SEQUENCE}|${ZERO_WIDTH}|${WRITTEN_ZERO_WIDTH}`, 'g');
/** Quick: may anything be hidden here at all? Asked of every text, so the two questions are kept simple. */
export const ANY_HIDDEN: RegExp = new RegExp(`[\\x1b\\x9b${ZERO_WIDTH.slice(1)}`);
const ANY_WRITTEN = /\\(?:u001|u200|u2060|u00[aA]|u[fF]|x1|033)/;

const mayHide = (text: string, isAscii: boolean): boolean =>
  (isAscii ? text.includes('\x1b') : ANY_HIDDEN.test(text)) || (text.includes('\\') && ANY_WRITTEN.test(text));

/** A text without what hides in it, and the way back to the original's indices. */
export interface Revealed {
  readonly text: string;
  /** Moves spans over the revealed text to where they stand in the original. */
  locate(spans: readonly Span[]): Span[];
}

/** The text as a reader sees it; null when nothing is hidden in it. */
export function reveal(original: string, isAscii: boolean): Revealed | null {
  if (!mayHide(original, isAscii)) return null;
  const cuts: { readonly at: number; readonly removed: number }[] = [];
  let [text, from, removed] = ['', 0, 0];
  for (const { 0: match, index } of original.matchAll(HIDDEN)) {
    text += original.slice(from, index);
    from = index + match.length;
    removed += match.length;
    cuts.push({ at: text.length, removed });
  }
  if (cuts.length === 0) return null;
  text += original.slice(from);
  const locate = (spans: readonly Span[]): Span[] => {
    let [cut, shift] = [0, 0];
    /** Where a character of the revealed text stands; indices must rise. */
    const place = (index: number): number => {
      while (cut < cuts.length && cuts[cut]!.at <= index) {
        shift = cuts[cut]!.removed;
        cut += 1;
      }
      return index + shift;
    };
    return spans.map((span) => ({ ...span, start: place(span.start), end: place(span.end - 1) + 1 }));
  };
  return { text, locate };
}
