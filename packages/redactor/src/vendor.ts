import { beginsToken, isDigit, isWord } from './characters.ts';
import type { Matcher } from './rule.ts';
import type { Source } from './source.ts';
import { isMonotonous, isPlaceholder, looksRandom } from './value.ts';
import { VENDOR_SHAPES } from './vendor-shapes.ts';
import { wrappedEnd } from './wrap.ts';

/** Digits that a Telegram bot's number has, at most. */
const BOT_DIGITS = 16;

interface Shape {
  readonly kind: string;
  readonly body: RegExp;
  readonly mustLookRandom: boolean;
  /** What stands before the keyword: `3` azure's three characters, `d` digits, `t` 14 characters; `#` mask the last path segment. */
  readonly before: string;
}

function shapeOf(kind: string, body: string): Shape {
  const mark = /^(?:<.|[~#])/.exec(body)?.[0] ?? '';
  return {
    kind,
    body: new RegExp(`${body.slice(mark.length)}(?![\\w~])`, 'y'),
    mustLookRandom: mark === '~',
    before: mark === '~' ? '' : mark.slice(-1),
  };
}

/** Where a token begins whose keyword stands at `at`, or -1 when nothing can begin there. */
function startOf(text: string, at: number, before: string): number {
  let start = at;
  if (before === 'd') {
    while (start > 0 && at - start <= BOT_DIGITS && isDigit(text.charCodeAt(start - 1))) start -= 1;
    if (at - start < 5 || at - start > BOT_DIGITS) return -1;
    // `bot123:A...`: the API's path writes the token behind this word.
    if (start >= 3 && text.slice(start - 3, start).toLowerCase() === 'bot') return start;
  } else if (before === '3' || before === 't') {
    start -= before === '3' ? 3 : 14;
    if (start < 0) return -1;
    for (let index = start; index < at; index += 1) {
      const code = text.charCodeAt(index);
      if (!isWord(code) && code !== 126 && code !== 46) return -1;
    }
  }
  return before === '#' || beginsToken(text, start) ? start : -1;
}

function matchShape(source: Source, shape: Shape, at: number, length: number): boolean {
  const { text } = source;
  const start = startOf(text, at, shape.before);
  if (start < 0) return false;
  const { body } = shape;
  body.lastIndex = at + length;
  const found = body.exec(text);
  if (!found) return false;
  const secret = found[0];
  if (isMonotonous(secret)) return false;
  if (shape.mustLookRandom ? !looksRandom(secret) : /EXAMPLE/.test(secret)) return false;
  const end = wrappedEnd(text, body.lastIndex);
  const from = shape.before === '#' ? body.lastIndex - secret.length + secret.lastIndexOf('/') + 1 : start;
  if (shape.before === '#' && isPlaceholder(text.slice(from, end))) return false;
  source.report(shape.kind, from, end, 2);
  return true;
}

/** One matcher per prefix; the shapes that share it are tried in the table's order. */
export function vendorMatchers(): Matcher[] {
  const byPrefix = new Map<string, Shape[]>();
  for (const [kind, prefixes, body] of VENDOR_SHAPES) {
    const shape = shapeOf(kind, body);
    for (const prefix of prefixes.split(' ')) byPrefix.set(prefix, [...(byPrefix.get(prefix) ?? []), shape]);
  }
  return [...byPrefix].map(([prefix, shapes]) => ({
    keywords: [prefix],
    caseSensitive: true,
    noisy: false,
    match(source, at, length) {
      // Inside a token already found (`sk-` in a longer one) there is nothing more to find.
      const last = source.spans.at(-1);
      if (last && last.weight === 2 && at < last.end) return;
      shapes.some((shape) => matchShape(source, shape, at, length));
    },
  }));
}
