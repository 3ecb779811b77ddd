import { count, stubLength } from './quote.ts';

/** Stands where lines were left out. */
export const gapMark = '[...]';

/** Ends the first line of an excerpt; what stands before it is the line the result would become without any lines. */
const ending = /; excerpt, [\d,]+ of ([\d,]+) lines:$/;
/** Room the ending takes of a first line, in characters. */
const endingRoom = 48;

/** What the first line of an excerpt says. */
export interface ExcerptHead {
  /** What ran, on what, how it ended: a stub. */
  readonly line: string;
  /** Lines of the result as it came. */
  readonly lines: number;
}

/** Reads the first line of an excerpt of ours; `null` for any other text. */
export function readExcerptHead(text: string): ExcerptHead | null {
  if (text.charCodeAt(0) !== 0x5b) return null;
  const end = text.indexOf('\n');
  if (end < 0 || end > stubLength + endingRoom) return null;
  const first = text.slice(0, end);
  const found = ending.exec(first);
  return found && { line: first.slice(0, found.index), lines: Number(found[1]!.replaceAll(',', '')) };
}

/** The first line of an excerpt, as {@link readExcerptHead} reads it. */
export function writeExcerptHead({ line, lines }: ExcerptHead, kept: number): string {
  return `${line}; excerpt, ${count(kept)} of ${count(lines)} lines:`;
}
