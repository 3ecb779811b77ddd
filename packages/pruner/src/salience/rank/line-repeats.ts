import type { TranscriptLine } from '../read/read-transcript-lines.ts';

/** Repetitions of lines: 1 or 0, by index of the line. */
export interface LineRepeats {
  /** 1 if the line occurs again later. */
  readonly isRepeated: Uint8Array;
  /** 1 if the line repeats an earlier line. */
  readonly repeats: Uint8Array;
}

/** Finds lines with the same text. Linear time. */
export function lineRepeats(lines: readonly TranscriptLine[]): LineRepeats {
  const isRepeated = new Uint8Array(lines.length);
  const repeats = new Uint8Array(lines.length);
  const newest = new Map<string, number>();
  lines.forEach(({ text }, index) => {
    const key = text.trim();
    const earlier = newest.get(key);
    newest.set(key, index);
    if (earlier === undefined) return;
    isRepeated[earlier] = 1;
    repeats[index] = 1;
  });
  return { isRepeated, repeats };
}
