import type { TurnLine } from '../read/read-turns.ts';

/** Minimum characters of a line to count as quoted; shorter lines occur in several texts by chance. */
const shortestQuote = 12;
/** Number of lines on each side of a quoted line that count as near it. */
const nearby = 2;

/** Repetitions of lines: 1 or 0, by index of the line. */
export interface LineRepeats {
  /** 1 if the line occurs again later. */
  readonly isRepeated: Uint8Array;
  /** 1 if the line repeats an earlier line. */
  readonly repeats: Uint8Array;
  /** 1 for a line of a result that people or calls quoted later, and for lines near it. */
  readonly isNearQuoted: Uint8Array;
}

/** Finds lines with the same text. Linear time. */
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
