import { matchAt } from '../scan/sticky.ts';

/** One atom, the start or end of a group, or `|`. */
const tokenPattern =
  /\\(?:u\{[^}]*\}|u[\da-f]{4}|x[\da-f]{2}|p\{[^}]*\}|[\s\S])|\[(?:\\[\s\S]|[^\]\\])*\]|\((?:\?(?:[:=!]|<[=!]|<\w+>))?|[\s\S]/iy;
const quantifierPattern = /(?:([*+?])|\{(\d{1,9})(?:(,)(\d{0,9}))?\})\??/y;

/** Stands for an unlimited number of repetitions. */
const unlimited = 1e9;
/** A repetition counts as long if its maximum exceeds its minimum by more than this. */
const leeway = 16;
/** Most combinations of lengths that the short variable parts of a pattern may have together. */
const maxWays = 1000;

/** Characters on which two atoms are compared: ASCII, and some beyond it. */
const samples: readonly string[] = [
  ...Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)),
  ...'é\u00a0\u2028',
];

/** True if both atoms match some character. */
const overlap = (a: RegExp, b: RegExp): boolean => samples.some((sample) => a.test(sample) && b.test(sample));

/**
 * Checks that a pattern takes linear time; returns the reason if it may not, else null. Conservative: a repeated group must
 * have a fixed length and no alternatives, a long repetition needs something before it, and between two long repetitions
 * there must be a character that ends the first. The reason completes the sentence "it ...".
 */
export function checkLinear({ source, flags }: RegExp): string | null {
  let index = 0;
  const next = (syntax: RegExp): RegExpExecArray | null => {
    const found = matchAt(syntax, source, index);
    if (found) index = syntax.lastIndex;
    return found;
  };
  /** For each open group, whether its length varies or it has alternatives. */
  const varies = [false];
  let open: RegExp | null = null;
  let hasStarted = false;
  let ways = 1;
  while (index < source.length) {
    const token = next(tokenPattern)![0];
    if (/^(?:[$^]|\\b)$/i.test(token)) continue;
    if (/^\\[1-9k]/.test(token)) return 'contains a backreference';
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
    const [quantifier, sign, count, comma, limit] = next(quantifierPattern) ?? [];
    const minTimes = quantifier === undefined ? 1 : count === undefined ? Number(sign === '+') : Number(count);
    const isUnlimited = sign === '*' || sign === '+' || (comma && !limit);
    const maxTimes = quantifier === undefined || sign === '?' ? 1 : isUnlimited ? unlimited : Number(limit || count);
    if (groupVaries && maxTimes > 1) return 'repeats a group of variable content';
    varies[varies.length - 1] ||= groupVaries || maxTimes !== minTimes;
    const atom = isGroup ? /[\s\S]/ : new RegExp(`^(?:${token})$`, flags.replace(/[gydm]/g, ''));
    if (maxTimes - minTimes > leeway) {
      if (!hasStarted) return 'begins with a long repetition';
      if (open && overlap(open, atom)) return 'has two long repetitions of the same characters';
      open = atom;
    } else {
      ways *= maxTimes - minTimes + 1;
      if (ways > maxWays) return 'has too many variable parts';
      if (isGroup || minTimes === 0) continue;
      hasStarted = true;
      // An atom inside a group does not count: the group may be optional.
      if (varies.length === 1 && open && !overlap(open, atom)) open = null;
    }
  }
  return null;
}
