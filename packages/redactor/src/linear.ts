import { matchAt } from './sticky.ts';

/** One atom, an opening or closing of a group, or a bar. */
const TOKEN =
  /\\(?:u\{[^}]*\}|u[\da-f]{4}|x[\da-f]{2}|p\{[^}]*\}|[\s\S])|\[(?:\\[\s\S]|[^\]\\])*\]|\((?:\?(?:[:=!]|<[=!]|<\w+>))?|[\s\S]/iy;
const QUANTIFIER = /(?:([*+?])|\{(\d{1,9})(?:(,)(\d{0,9}))?\})\??/y;

/** More often than a pattern can say in figures. */
const ENDLESS = 1e9;
/** A repetition with more leeway than this counts as long. */
const LEEWAY = 16;
/** Ways in which the short variable parts together may divide a text. */
const MOST_WAYS = 1000;

/** Characters that tell atoms apart: ASCII, and some beyond it. */
const SAMPLES: readonly string[] = [
  ...Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)),
  ...'é\u00a0\u2028',
];

const meet = (a: RegExp, b: RegExp): boolean => SAMPLES.some((sample) => a.test(sample) && b.test(sample));

/**
 * Why a pattern cannot be trusted to take linear time; null when it can. Conservative: repeated groups may not vary
 * inside, long repetitions need a character between them that ends the first, and something must stand before them.
 * The message completes "it ...".
 */
export function whyNotLinear({ source, flags }: RegExp): string | null {
  let index = 0;
  const next = (syntax: RegExp): RegExpExecArray | null => {
    const found = matchAt(syntax, source, index);
    if (found) index = syntax.lastIndex;
    return found;
  };
  /** For each group being read, whether it varies: in length, or between alternatives. */
  const varies = [false];
  let open: RegExp | null = null;
  let hasStarted = false;
  let ways = 1;
  while (index < source.length) {
    const token = next(TOKEN)![0];
    if (/^(?:[$^]|\\b)$/i.test(token)) continue;
    if (/^\\[1-9k]/.test(token)) return 'refers back to a group';
    if (token[0] === '(') {
      varies.push(false);
      continue;
    }
    if (token === '|') {
      varies[varies.length - 1] = true;
      continue;
    }
    const isGroup = token === ')';
    const groupVaries = isGroup && varies.pop()!;
    const [quantifier, sign, count, comma, limit] = next(QUANTIFIER) ?? [];
    const least = quantifier === undefined ? 1 : count === undefined ? Number(sign === '+') : Number(count);
    const isEndless = sign === '*' || sign === '+' || (comma && !limit);
    const most = quantifier === undefined || sign === '?' ? 1 : isEndless ? ENDLESS : Number(limit || count);
    if (groupVaries && most > 1) return 'repeats a group that itself varies';
    varies[varies.length - 1] ||= groupVaries || most !== least;
    const atom = isGroup ? /[\s\S]/ : new RegExp(`^(?:${token})$`, flags.replace(/[gydm]/g, ''));
    if (most - least > LEEWAY) {
      if (!hasStarted) return 'begins with a long repetition';
      if (open && meet(open, atom)) return 'has two long repetitions';
      open = atom;
    } else {
      ways *= most - least + 1;
      if (ways > MOST_WAYS) return 'has too many variable parts';
      if (isGroup || least === 0) continue;
      hasStarted = true;
      // Inside a group that may be skipped nothing is sure to stand between.
      if (varies.length === 1 && open && !meet(open, atom)) open = null;
    }
  }
  return null;
}
