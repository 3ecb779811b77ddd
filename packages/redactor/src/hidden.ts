import type { Span } from './finding.ts';
import { startsAt } from './scan/sticky.ts';

/** An escape character, literal or as escaped by JSON (however deeply nested) and shells. */
const escapeSign = '(?:\\x1b|\\x9b|(?<!\\\\)\\\\{1,15}(?:u001[bB]|x1[bB]|033))';
/** The rest of an escape sequence: a control sequence (colours) or an operating system command (titles, links). */
const sequence = '(?:\\[[0-9;:?<>=]{0,32}[ -/]{0,2}[@-~]|\\][^\\x07\\x1b\\n]{0,256}(?:\\x07|\\x1b\\\\))?';
/**
 * Characters that a reader does not see: control characters, soft hyphen, combining marks, fillers (Hangul, Braille),
 * zero-width and direction marks, word joiner, variation selectors and byte order mark. Those beyond the basic
 * multilingual plane are in `TAG`.
 */
const invisibleSigns =
  '[\\0-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f\\xad\\u0300-\\u036f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u20d0-\\u20ff\\u2800\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff9-\\ufffb]';
const tag = '\\udb40[\\udc00-\\udfff]';
/** An escaped character: in JSON or source code, percent-encoded (once or repeatedly), or as an HTML entity. */
const escaped =
  '(?<!\\\\)\\\\{1,15}(?:u([\\da-fA-F]{4})|x([\\da-fA-F]{2}))|%(?:25){0,4}([02-7][\\da-fA-F])|&(?:amp;){0,4}(?:#(\\d{1,6})|#[xX]([\\da-fA-F]{1,5})|(quot|apos|equals|colon|lowbar|amp));';
const fullWidth = '([\\uff01-\\uff5e])';

/** One invisible or escaped character, terminal escape sequence or full-width character. */
export const hidden: RegExp = new RegExp(
  `${escapeSign}${sequence}|${invisibleSigns}|${tag}|${escaped}|${fullWidth}`,
  'g',
);
/** Quick test for hidden characters. Simple, because it runs on every text that is not ASCII. */
export const anyHidden: RegExp = new RegExp(
  `${invisibleSigns}|\\udb40|[\\uff10-\\uff19\\uff1d\\uff21-\\uff3a\\uff3f\\uff41-\\uff5a]`,
);
/** Control characters that tools leave in ASCII text. A substring search for each is the fastest test. */
const controls = ['\0', '\x01', '\x02', '\b', '\x1b', '\x7f'];
/** Escapes of characters in or next to names and secrets. Encoded spaces, slashes and non-ASCII letters do not count. */
const anyEscaped = /\\(?:u00[0-7]|u03[0-6]|u20[0-6]|u[fF]|x[0-7]|033)/y;
const anyPercent = /%(?:25){0,4}(?:[01][\da-fA-F]|2[2dDeE]|3[\daAdDfF]|26|[46][1-9a-fA-F]|[57][\daA]|5[fF])/y;
const anyEntity = /&(?:amp;){0,4}(?:#|quot;|apos;|equals;|colon;|lowbar;)/y;

/** True if the sticky pattern matches anywhere. Its matches must begin with `sign` and a character that `mayFollow`. */
function occurs(text: string, sign: string, pattern: RegExp, mayFollow?: (code: number) => boolean): boolean {
  for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + 1))
    if ((mayFollow?.(text.charCodeAt(at + 1)) ?? true) && startsAt(pattern, text, at)) return true;
  return false;
}

/** True for `u`, `x` and `0`. A backslash usually comes before a quote or the letter of a line break. */
const beginsEscape = (code: number): boolean => code === 117 || code === 120 || code === 48;

const mayHide = (text: string, isAscii: boolean): boolean =>
  controls.some((one) => text.includes(one)) ||
  (!isAscii && anyHidden.test(text)) ||
  occurs(text, '\\', anyEscaped, beginsEscape) ||
  occurs(text, '%', anyPercent) ||
  occurs(text, '&', anyEntity);

const entities: Readonly<Record<string, string>> = {
  quot: '"',
  apos: "'",
  equals: '=',
  colon: ':',
  lowbar: '_',
  amp: '&',
};
const anyInvisible = new RegExp(`^${invisibleSigns}$`);

/** The character that a match of {@link hidden} displays: empty if invisible, null if the match stays as it is. */
function characterOf(match: RegExpMatchArray): string | null {
  const [whole, unicode, byte, percent, decimal, hex, entity, wide] = match;
  const digits = unicode ?? byte ?? percent ?? hex;
  let character = entity ? entities[entity]! : '';
  if (digits !== undefined) character = String.fromCharCode(Number.parseInt(digits, 16));
  else if (decimal !== undefined) character = String.fromCharCode(Number(decimal));
  else if (wide !== undefined) character = String.fromCharCode(wide.charCodeAt(0) - 0xfee0);
  if (character === '' || whole.length === 0) return '';
  if (character === '\n' || character === '\r') return '\n';
  if (anyInvisible.test(character)) return '';
  // An escaped quote must not pair with a quote of the surrounding text.
  if (character === '"') return '`';
  return character !== '\\' && character >= ' ' && character <= '~' ? character : null;
}

/** Range of a hidden or escaped character, and the text it displays. */
interface Cut {
  readonly start: number;
  readonly end: number;
  readonly shown: string;
}

/**
 * How many characters before and after a hidden one are searched again. This covers long private keys too: usually
 * either all of their lines have hidden characters or none has.
 */
const reachBefore = 1024;
const reachAfter = 4096;

/** Part of a text as it is displayed, with a mapping back to the original indices. */
interface RevealedRange {
  readonly text: string;
  /** Maps spans of the revealed text to the original. */
  locate(spans: readonly Span[]): Span[];
}

/** The parts of a text that contain hidden characters, as they are displayed. */
export interface Reveal {
  /** The parts in order. */
  readonly ranges: readonly RevealedRange[];
  /** True if a span of the original contains an invisible character, so that it may be only part of a secret. */
  splits(span: Span): boolean;
}

/** Finds hidden and escaped characters in a text, or null. */
export function reveal(original: string, isAscii: boolean): Reveal | null {
  if (!mayHide(original, isAscii)) return null;
  const ranges: RevealedRange[] = [];
  const invisible: number[] = [];
  let [cuts, from]: [Cut[], number] = [[], 0];
  const close = (): void => {
    const last = cuts.at(-1);
    if (last) ranges.push(revealRange(original, from, edge(original, last.end + reachAfter), cuts));
    cuts = [];
  };
  for (const match of original.matchAll(hidden)) {
    const shown = characterOf(match);
    if (shown === null) continue;
    const start = match.index;
    const last = cuts.at(-1);
    if (!last || start - reachBefore > last.end + reachAfter) {
      close();
      from = edge(original, start - reachBefore);
    }
    cuts.push({ start, end: start + match[0].length, shown });
    if (shown === '') invisible.push(start);
  }
  close();
  if (ranges.length === 0) return null;
  return { ranges, splits: ({ start, end }) => invisible[firstFrom(invisible, start)]! < end };
}

/** Index of the first number not below `min`, in a sorted list. */
function firstFrom(numbers: readonly number[], min: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle]! < min) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Moves a boundary to the next white space if it is near, so that it does not cut a word. */
function edge(text: string, index: number): number {
  if (index <= 0 || index >= text.length) return Math.min(Math.max(0, index), text.length);
  const blank = text.slice(index, index + 256).search(/\s/);
  return blank < 0 ? index : index + blank;
}

function revealRange(original: string, from: number, to: number, cuts: readonly Cut[]): RevealedRange {
  let [text, at] = ['', from];
  /** Index of each cut in the revealed text. */
  const places: number[] = [];
  for (const { start, end, shown } of cuts) {
    text += original.slice(at, start);
    places.push(text.length);
    text += shown;
    at = end;
  }
  text += original.slice(at, to);

  /** Start and end, in the original, of the character at `index`. */
  const placeOf = (index: number): readonly [start: number, end: number] => {
    let next = firstFrom(places, index);
    while (next < places.length && places[next] === index && cuts[next]!.shown === '') next += 1;
    if (places[next] === index) return [cuts[next]!.start, cuts[next]!.end];
    const last = cuts[next - 1];
    const start = last ? last.end + index - places[next - 1]! - last.shown.length : from + index;
    return [start, start + 1];
  };
  return {
    text,
    locate: (spans) =>
      spans.map((span) => ({
        ...span,
        start: placeOf(span.start)[0],
        end: placeOf(span.end - 1)[1],
        shown: text.slice(span.start, span.end),
      })),
  };
}
