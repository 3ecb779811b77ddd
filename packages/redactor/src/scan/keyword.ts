import { isLetter } from './characters.ts';
import { byteOf, classBits, classMembers, classOfByte } from './scan-classes.ts';

/** A literal that indicates a possible secret nearby. */
export interface Keyword {
  readonly literal: string;
  /** If false, ASCII letters match in either case. @default false */
  readonly caseSensitive?: boolean | undefined;
  /** Tests the character before the keyword. Must give one answer for all characters of a class (`scan-classes.ts`). @default any */
  readonly after?: ((code: number) => boolean) | undefined;
}

/** Index of the character at which the scan looks for a keyword: its third, or the last of a shorter one. */
export const triggerOf = (literal: string): number => (literal.length > 2 ? 2 : 1);

const every: readonly number[] = /* @__PURE__ */ [...Array(1 << classBits).keys()];

/** The classes of characters that may precede a keyword. */
export const classesBefore = ({ after }: Keyword): readonly number[] =>
  after ? every.filter((one) => after(classMembers.charCodeAt(one))) : every;

/** Calls `mark` with every combination of classes of four bytes in which the third or fourth is the keyword's trigger. */
export function markClasses(keyword: Keyword, mark: (four: number) => unknown): void {
  const { literal } = keyword;
  const sets = [
    every,
    classesBefore(keyword),
    ...literal.split('').map((one) => [classOfByte[byteOf(one, 0)]!]),
    every,
  ];
  const end = triggerOf(literal) + 3;
  const combine = (from: number, to: number, classes: number): void => {
    if (from === to) mark(classes);
    else for (const one of sets[from]!) combine(from + 1, to, (classes << classBits) | one);
  };
  combine(end - 4, end, 0);
  combine(end - 3, end + 1, 0);
}

/** True if the text at `at` is the keyword. Its characters before `from` are not compared. */
export function isKeywordAt(text: string, at: number, { literal, caseSensitive }: Keyword, from: number): boolean {
  for (let offset = from; offset < literal.length; offset += 1) {
    const code = text.charCodeAt(at + offset);
    const wanted = literal.charCodeAt(offset);
    if (code !== wanted && (caseSensitive || (code ^ 32) !== wanted || !isLetter(code))) return false;
  }
  return true;
}
