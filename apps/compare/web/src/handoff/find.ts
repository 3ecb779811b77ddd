import type { Range } from '../worker/find-shared-words.ts';

/** Further places in one line are not highlighted. */
const maxPerLine = 500;

/** Where `query` occurs in a text, without regard to case. */
export function rangesOf(text: string, query: string): readonly Range[] {
  const ranges: Range[] = [];
  if (query === '') return ranges;
  const [lower, wanted] = [text.toLowerCase(), query.toLowerCase()];
  // Case mapping changes the length of a few characters. Then the positions would be wrong.
  if (lower.length !== text.length) return ranges;
  for (
    let at = lower.indexOf(wanted);
    at >= 0 && ranges.length < maxPerLine;
    at = lower.indexOf(wanted, at + wanted.length)
  )
    ranges.push([at, at + wanted.length]);
  return ranges;
}
