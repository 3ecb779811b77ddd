import { beginsToken, isBlank, isDigit, isWord, mayEnd } from './characters.ts';
import type { Matcher } from './rule.ts';
import type { Source } from './source.ts';
import { matchAt } from './sticky.ts';
import { isMonotonous, looksRandom } from './value.ts';
import { PUBLISHED, type TokenShape, VENDOR_SHAPES } from './vendor-shapes.ts';
import { joinWrapped, wrappedEnd } from './wrap.ts';

interface Shape extends TokenShape {
  readonly kind: string;
  readonly pattern: RegExp;
}

/** The pattern for what follows a prefix; tests analyse it. A token that may hold dashes does not end before one. */
export function bodyPattern(body: string): RegExp {
  return new RegExp(`${body}(?![\\w~${body.includes('-]') ? '-' : ''}])`, 'y');
}

/** Digits that stand before the keyword: of a Telegram bot's number, of a Facebook app's. */
const NUMBERS: Readonly<Record<string, readonly [least: number, most: number]>> = { d: [5, 16], f: [14, 15] };
/** Where a token begins whose keyword stands at `at`, or -1 when nothing can begin there. */
function startOf(text: string, at: number, before: string): number {
  // The matcher has looked.
  if (before === '') return at;
  let start = at;
  const number = NUMBERS[before];
  if (number) {
    while (start > 0 && at - start <= number[1] && isDigit(text.charCodeAt(start - 1))) start -= 1;
    if (at - start < number[0] || at - start > number[1]) return -1;
    // `/bot123:A...`: the API's path writes the token behind this word.
    if (text.slice(Math.max(0, start - 3), start).toLowerCase() === 'bot') return start;
  }
  if (before === '3') {
    start -= 3;
    if (!/^[\w~.]{3}$/.test(text.slice(Math.max(0, start), at))) return -1;
  }
  return !isWord(text.charCodeAt(start)) || beginsToken(text, start) ? start : -1;
}

/** True when what a shape matched is the real thing: no stand-in, and random where the shape alone says little. */
function isReal(shape: Shape, secret: string): boolean {
  if (isMonotonous(secret) || PUBLISHED.has(secret.slice(-5))) return false;
  return shape.isLoose ? looksRandom(secret) : !secret.includes('EXAMPLE');
}

/** What of `text` a shape masks whose prefix ends at `at`; a start of -1 is the token's own. Null when it is none. */
function secretIn(shape: Shape, text: string, at: number): readonly [start: number, end: number] | null {
  const found = matchAt(shape.pattern, text, at);
  if (!found || !isReal(shape, found[1] ?? found[0])) return null;
  const end = shape.pattern.lastIndex;
  return [found[1] === undefined ? -1 : end - found[1].length, end];
}

function matchShape(source: Source, shape: Shape, at: number, length: number): boolean {
  const { text } = source;
  const start = startOf(text, at, shape.before);
  if (start < 0) return false;
  const whole = secretIn(shape, text, at + length);
  if (whole) {
    source.report(shape.kind, whole[0] < 0 ? start : whole[0], wrappedEnd(text, whole[1]), 2);
    return true;
  }
  // Perhaps its line's end breaks it in two.
  const joined = joinWrapped(text, start);
  const broken = joined && secretIn(shape, joined.text, at + length - start);
  if (broken) source.report(shape.kind, joined.place(Math.max(0, broken[0])), joined.place(broken[1] - 1) + 1, 2);
  return broken !== null;
}

/** Prefixes of at least this length rarely occur by chance at the end of a name. */
const DISTINCT = 4;
const mayEndOrJoin = (code: number): boolean => code === 95 || mayEnd(code);

/** True when a token is joined to a name or dashes before it: `key_ghp_...`, `backup-AKIA...`. */
const isJoined = (text: string, at: number): boolean => /[_.-]/.test(text.charAt(at - 1));

/** One matcher per prefix; the shapes that share it are tried in the table's order. */
export function vendorMatchers(): Matcher[] {
  const byPrefix = new Map<string, Shape[]>();
  for (const one of VENDOR_SHAPES) {
    const pattern = bodyPattern(one.body);
    for (const prefix of one.prefixes) {
      const shape = { ...one, pattern, kind: one.name || `token ${prefix}` };
      byPrefix.set(prefix, [...(byPrefix.get(prefix) ?? []), shape]);
    }
  }
  return [...byPrefix].map(([prefix, shapes]) => {
    const beginsItself = isWord(prefix.charCodeAt(0)) && shapes.every(({ before }) => before === '');
    // Such a prefix can occur by chance in base64, where `+` or `/` looks like the start of a token.
    const isMereLetters = !/\W|_/.test(prefix) && shapes.every(({ isLoose }) => isLoose);
    const mayFollow = prefix.length >= DISTINCT || prefix === 'xox' || prefix === 'eyJ';
    return {
      keywords: [prefix],
      caseSensitive: true,
      isRare: /^\$\d\$$/.test(prefix),
      after: beginsItself
        ? mayFollow
          ? mayEndOrJoin
          : mayEnd
        : shapes.every(({ before }) => before in NUMBERS)
          ? isDigit
          : undefined,
      match(source, at, length) {
        const { text, spans } = source;
        if (isBlank(text.charCodeAt(at + length)) || (isMereLetters && /[+/]/.test(text.charAt(at - 1)))) return;
        if (beginsItself && !beginsToken(text, at) && !(mayFollow && isJoined(text, at))) return;
        // Inside a token already found (`sk-` in a longer one) there is nothing more to find.
        const last = spans.at(-1);
        if (last && last.weight === 2 && at < last.end) return;
        for (const shape of shapes) if (matchShape(source, shape, at, length)) return;
      },
    };
  });
}
