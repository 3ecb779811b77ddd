/** A set of characters: one bit per ASCII character, and one for everything else. */
export type Characters = bigint;

/** A piece of a pattern, reduced to what decides how much it can backtrack. */
export interface Piece {
  readonly least: number;
  readonly most: number;
  /** Characters it may hold. For a group: of all its alternatives. */
  readonly characters: Characters;
  /** The alternatives of a group, each a sequence; absent for single characters and assertions. */
  readonly alternatives?: readonly (readonly Piece[])[] | undefined;
}

const OTHERS = 1n << 128n;
export const EVERY: Characters = (1n << 129n) - 1n;

const range = (low: number, high: number): Characters => {
  let set = high > 127 ? OTHERS : 0n;
  for (let code = low; code <= Math.min(high, 127); code += 1) set |= 1n << BigInt(code);
  return set;
};
const DIGITS = range(48, 57);
const WORDS = DIGITS | range(65, 90) | range(97, 122) | range(95, 95);
const SPACES = range(9, 13) | range(32, 32) | OTHERS;
const CLASSES: Readonly<Record<string, Characters>> = {
  d: DIGITS,
  D: EVERY & ~DIGITS,
  w: WORDS,
  W: EVERY & ~WORDS,
  s: SPACES,
  S: EVERY & ~(SPACES & ~OTHERS),
};
const CONTROLS: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, v: 11, f: 12, '0': 0 };

/** Thrown for syntax that this reader does not judge; the message completes "is refused: it ...". */
export class NotJudged extends Error {}

/** Reads a pattern that `RegExp` has accepted; `ignoreCase` widens every character to both cases. */
export function readPattern(source: string, ignoreCase: boolean): readonly (readonly Piece[])[] {
  let index = 0;
  const folded = (set: Characters): Characters => {
    if (!ignoreCase) return set;
    const [upper, lower] = [(set >> 65n) & ((1n << 26n) - 1n), (set >> 97n) & ((1n << 26n) - 1n)];
    return set | (upper << 97n) | (lower << 65n);
  };
  const hex = (length: number): number => {
    const code = Number.parseInt(source.slice(index, index + length), 16);
    index += length;
    return code;
  };
  /** What follows a backslash: a set, or one code. */
  const escaped = (): Characters | number => {
    const letter = source[index]!;
    index += 1;
    const known = CLASSES[letter];
    if (known !== undefined) return known;
    if (letter === 'p' || letter === 'P') {
      index = source.indexOf('}', index) + 1;
      return EVERY;
    }
    if (letter === 'x') return hex(2);
    if (letter === 'c') return hex(0) || source.charCodeAt(index++) % 32;
    if (letter === 'u') {
      if (source[index] !== '{') return hex(4);
      const end = source.indexOf('}', index);
      const code = Number.parseInt(source.slice(index + 1, end), 16);
      index = end + 1;
      return code;
    }
    return CONTROLS[letter] ?? letter.codePointAt(0)!;
  };
  const readClass = (): Characters => {
    const isNegated = source[index] === '^';
    if (isNegated) index += 1;
    let set = 0n;
    while (source[index] !== ']') {
      const one = (): Characters | number => {
        const letter = source[index]!;
        index += 1;
        if (letter !== '\\') return letter.codePointAt(0)!;
        if (source[index] === 'b') {
          index += 1;
          return 8;
        }
        return escaped();
      };
      const low = one();
      if (typeof low === 'number' && source[index] === '-' && source[index + 1] !== ']') {
        index += 1;
        const high = one();
        set |= typeof high === 'number' ? range(low, high) : range(low, low) | range(45, 45) | high;
      } else {
        set |= typeof low === 'number' ? range(low, low) : low;
      }
    }
    index += 1;
    return isNegated ? EVERY & ~(folded(set) & ~OTHERS) : folded(set);
  };
  const readAtom = (): Piece => {
    const letter = source[index]!;
    index += 1;
    const single = (characters: Characters): Piece => ({ least: 1, most: 1, characters });
    if (letter === '.') return single(EVERY);
    if (letter === '[') return single(readClass());
    if (letter === '^' || letter === '$') return { least: 0, most: 0, characters: 0n };
    if (letter === '\\') {
      if (source[index] === 'b' || source[index] === 'B') {
        index += 1;
        return { least: 0, most: 0, characters: 0n };
      }
      if (/[1-9k]/.test(source[index]!)) throw new NotJudged('refers back to what a group matched');
      const value = escaped();
      return single(typeof value === 'number' ? folded(range(value, value)) : value);
    }
    if (letter !== '(') return single(folded(range(letter.codePointAt(0)!, letter.codePointAt(0)!)));
    const head = /^\?(?:[:=!]|<[=!]|<\w+>)/.exec(source.slice(index, index + 64))?.[0] ?? '';
    if (source[index] === '?' && head === '') throw new NotJudged('has a group of a kind that is not judged');
    index += head.length;
    const alternatives = readAlternatives();
    index += 1;
    const characters = alternatives.flat().reduce((set, piece) => set | piece.characters, 0n);
    const isAssertion = /[=!]$/.test(head);
    return { least: isAssertion ? 0 : 1, most: isAssertion ? 0 : 1, characters, alternatives };
  };
  const readSequence = (): Piece[] => {
    const pieces: Piece[] = [];
    while (index < source.length && source[index] !== '|' && source[index] !== ')') {
      const atom = readAtom();
      const quantifier = /^(?:[*+?]|\{(\d{1,9})(?:(,)(\d{0,9}))?\})\??/.exec(source.slice(index, index + 24));
      if (!quantifier) {
        pieces.push(atom);
        continue;
      }
      index += quantifier[0].length;
      const sign = quantifier[0][0]!;
      const counted = Number(quantifier[1] ?? 0);
      const least = sign === '{' ? counted : sign === '+' ? 1 : 0;
      const limit = quantifier[3] ? Number(quantifier[3]) : quantifier[2] ? Number.POSITIVE_INFINITY : counted;
      const most = sign === '{' ? limit : sign === '?' ? 1 : Number.POSITIVE_INFINITY;
      pieces.push({ ...atom, least, most });
    }
    return pieces;
  };
  const readAlternatives = (): Piece[][] => {
    const alternatives = [readSequence()];
    while (source[index] === '|') {
      index += 1;
      alternatives.push(readSequence());
    }
    return alternatives;
  };
  return readAlternatives();
}
