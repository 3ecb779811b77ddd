import type { TurnLines } from '../read/read-turns.ts';

/** The number of a line in a listing. */
const gutter: RegExp = /^\s*\d{1,7}(?:\u2192|\t|\||: ?)/;

/**
 * A line with the one before and the one behind it in the same text, as they read without the line numbers of a
 * listing. Where one equals another, the line says there what it says here.
 */
export function lineContext({ lines }: TurnLines, index: number): string {
  const { at, kind, call } = lines[index]!;
  const bare = (place: number): string => {
    const line = lines[place];
    return line?.at === at && line.kind === kind && line.call === call ? line.text.replace(gutter, '').trim() : '';
  };
  return `${bare(index - 1)}\n${bare(index)}\n${bare(index + 1)}`;
}
