import { beginsToken, isBlank, isDigit, isWord, mayPrecedeToken } from '../scan/characters.ts';
import type { Matcher } from '../scan/matcher.ts';
import type { SearchState } from '../scan/search-state.ts';
import { matchAt } from '../scan/sticky.ts';
import { isMonotonous, looksRandom, maxJudgedLength } from '../values/looks-random.ts';
import { published, type TokenShape, vendorShapes } from './vendor-shapes.ts';
import { endOfWrapped, joinWrapped } from './wrap.ts';

/** How the body of a token is read. */
interface Body {
  /** The characters of its first repetition, if that is unbounded, and the least number of them. */
  readonly run: RegExp | null;
  readonly minLength: number;
  /** The body, or what follows the run; `null` for nothing. */
  readonly pattern: RegExp | null;
}

interface Shape extends TokenShape, Body {
  readonly kind: string;
}

/** A run of characters with this many false starts of tokens is data, not a list of secrets. */
const maxFailures = 64;

const runs = new Map<string, RegExp>();
/** The same pattern for the same characters, so that all shapes share what was read. */
function runOf(characters: string): RegExp {
  const run = runs.get(characters) ?? new RegExp(`${characters}*`, 'y');
  runs.set(characters, run);
  return run;
}

const openRun = /^(\[[^\]]{1,40}\])\{(\d{1,4}),\}/;

/** Compiles the pattern of a token's body. The token ends at a word boundary; dashes continue it if it may contain them. */
export function compileBody(body: string): Body {
  const [whole, characters, minLength] = openRun.exec(body) ?? ['', '', '0'];
  const run = characters ? runOf(characters) : null;
  const rest = body.slice(whole.length);
  const end = `(?![\\w~${body.includes('-]') ? '-' : ''}])`;
  return { run, minLength: Number(minLength), pattern: rest === '' ? null : new RegExp(`${rest}${end}`, 'y') };
}

/** How many digits precede the keyword: the number of a Telegram bot (`d`) or of a Facebook app (`f`). */
const numbers: Readonly<Record<string, readonly [min: number, max: number]>> = { d: [5, 16], f: [14, 15] };
/** Start of the token whose keyword is at `at`, or -1 if no token can start there. */
function startOf(text: string, at: number, before: string): number {
  if (before === '') return at;
  let start = at;
  const number = numbers[before];
  if (number) {
    while (start > 0 && at - start <= number[1] && isDigit(text.charCodeAt(start - 1))) start -= 1;
    if (at - start < number[0] || at - start > number[1]) return -1;
    // In API paths, the token directly follows the word `bot`: `/bot123:A...`.
    if (text.slice(Math.max(0, start - 3), start).toLowerCase() === 'bot') return start;
  }
  if (before === '3') {
    start -= 3;
    if (!/^[\w~.]{3}$/.test(text.slice(Math.max(0, start), at))) return -1;
  }
  if (before === 'h') {
    start -= 32;
    if (!/^[\da-f]{32}$/.test(text.slice(Math.max(0, start), at))) return -1;
  }
  return !isWord(text.charCodeAt(start)) || beginsToken(text, start) ? start : -1;
}

/** True if a match is not a placeholder or published sample, and looks random if its shape is loose. */
function isReal(shape: Shape, secret: string): boolean {
  if (isMonotonous(secret) || published.has(secret.slice(-5))) return false;
  return shape.isLoose ? looksRandom(secret) : !secret.slice(0, maxJudgedLength).includes('EXAMPLE');
}

/** Range of the secret of a shape whose prefix ends at `at`, or null. A start of -1 means the start of the whole token. */
function secretIn(shape: Shape, state: SearchState, at: number): readonly [start: number, end: number] | null {
  const { text } = state;
  const { run, pattern } = shape;
  if (run) {
    const characters = state.charactersFrom(run, at);
    const { to, last } = characters;
    if ((pattern ? to : last) - at < shape.minLength || characters.failures > maxFailures) return null;
    const end = pattern ? state.matchEnd(pattern, to) : last;
    if (end >= 0 && isReal(shape, text.slice(at, end))) return [-1, end];
    characters.failures += 1;
    return null;
  }
  const found = matchAt(pattern!, text, at);
  if (!found || !isReal(shape, found[1] ?? found[0])) return null;
  const end = pattern!.lastIndex;
  return [found[1] === undefined ? -1 : end - found[1].length, end];
}

function matchShape(state: SearchState, shape: Shape, at: number, length: number): boolean {
  const { text } = state;
  const start = startOf(text, at, shape.before);
  if (start < 0) return false;
  const token = { start, body: at + length, isOpen: shape.run !== null && shape.pattern === null };
  const whole = secretIn(shape, state, at + length);
  if (whole) {
    state.report({
      kind: shape.kind,
      start: whole[0] < 0 ? start : whole[0],
      end: endOfWrapped(text, whole[1], shape.isLoose ? token : undefined),
      weight: 2,
    });
    return true;
  }
  // The token may be broken by line wraps.
  for (const joined of joinWrapped(state, token)) {
    const broken = secretIn(shape, joined.state, at + length - start);
    if (!broken) continue;
    const end = endOfWrapped(text, joined.place(broken[1] - 1) + 1, token);
    state.report({ kind: shape.kind, start: joined.place(Math.max(0, broken[0])), end, weight: 2 });
    return true;
  }
  return false;
}

/** Prefixes of at least this length rarely occur in a name by chance. */
const distinct = 4;
const mayPrecedeOrJoin = (code: number): boolean => code === 95 || mayPrecedeToken(code);

/** True if a separator joins the token to a name before it: `key_ghp_...`, `backup-AKIA...`. */
const isJoined = (text: string, at: number): boolean => /[_.-]/.test(text.charAt(at - 1));

/** Creates one matcher per prefix. Shapes with the same prefix are tried in the order of the table. */
export function vendorMatchers(): Matcher[] {
  const byPrefix = new Map<string, Shape[]>();
  for (const one of vendorShapes) {
    const body = compileBody(one.body);
    for (const prefix of one.prefixes) {
      const shape = { ...one, ...body, kind: one.name || `token ${prefix}` };
      byPrefix.set(prefix, [...(byPrefix.get(prefix) ?? []), shape]);
    }
  }
  return [...byPrefix].map(([prefix, shapes]) => {
    const beginsItself = isWord(prefix.charCodeAt(0)) && shapes.every(({ before }) => before === '');
    // Such a prefix can occur by chance in base64 after `+` or `/`.
    const isMereLetters = !/\W|_/.test(prefix) && shapes.every(({ isLoose }) => isLoose);
    const mayFollow = prefix.length >= distinct || prefix === 'xox' || prefix === 'eyJ';
    return {
      keywords: [prefix],
      caseSensitive: true,
      isRare: /^\$\d\$$/.test(prefix),
      after: beginsItself
        ? mayFollow
          ? mayPrecedeOrJoin
          : mayPrecedeToken
        : shapes.every(({ before }) => before in numbers)
          ? isDigit
          : undefined,
      match(state, at, length) {
        const { text, spans } = state;
        if (isBlank(text.charCodeAt(at + length)) || (isMereLetters && /[+/]/.test(text.charAt(at - 1)))) return;
        if (beginsItself && !beginsToken(text, at) && !(mayFollow && isJoined(text, at))) return;
        // Skips prefixes inside a token that was already found.
        const last = spans.at(-1);
        if (last && last.weight === 2 && at < last.end) return;
        for (const shape of shapes) if (matchShape(state, shape, at, length)) return;
      },
    };
  });
}
