import type { TurnLine } from '../read/read-turns.ts';

/** Lines of fewer characters are in several texts by chance. */
const shortestQuote = 12;
/** Lines on each side of a quoted one that count as near it. */
const nearby = 2;

/** Which lines repeat each other, by index of the line: 1 or 0. */
export interface LineRepeats {
  /** The line comes again later. */
  readonly isRepeated: Uint8Array;
  /** The line repeats an earlier one. */
  readonly repeats: Uint8Array;
  /** A line of a result that was quoted later by people or calls, or a line next to one. */
  readonly isNearQuoted: Uint8Array;
}

/** Finds lines with the same text. Linear. */
export function lineRepeats(lines: readonly TurnLine[]): LineRepeats {
  const isRepeated = new Uint8Array(lines.length);
  const repeats = new Uint8Array(lines.length);
  const isNearQuoted = new Uint8Array(lines.length);
  const newest = new Map<string, number>();
  lines.forEach(({ text, kind, at }, index) => {
    const key = text.trim();
    const earlier = newest.get(key);
    newest.set(key, index);
    if (earlier === undefined) return;
    isRepeated[earlier] = 1;
    repeats[index] = 1;
    const source = lines[earlier]!;
    if (kind === 'result' || source.kind !== 'result' || source.at === at || key.length < shortestQuote) return;
    for (let place = earlier - nearby; place <= earlier + nearby; place++)
      if (lines[place]?.at === source.at) isNearQuoted[place] = 1;
  });
  return { isRepeated, repeats, isNearQuoted };
}
