import { maxStubLength } from '@palimpsest/core/authoring';
import { formatCount } from '../format-count.ts';

/** Marks omitted lines in an excerpt. */
export const gapMark = '[...]';

/** The end of an excerpt's first line. The part before it is the stub of the result. */
const ending = /; excerpt, [\d,]+ of ([\d,]+) lines:$/;
/** Maximum length of the ending in characters. */
const maxEndingLength = 48;

/** The content of an excerpt's first line. */
export interface ExcerptHead {
  /** The stub of the result: what ran, on what, how it ended. */
  readonly line: string;
  /** Number of lines in the original result. */
  readonly lines: number;
}

/** Reads the first line of an excerpt; `null` for any other text. */
export function readExcerptHead(text: string): ExcerptHead | null {
  if (text.charCodeAt(0) !== 0x5b) return null;
  const end = text.indexOf('\n');
  if (end < 0 || end > maxStubLength + maxEndingLength) return null;
  const first = text.slice(0, end);
  const found = ending.exec(first);
  return found && { line: first.slice(0, found.index), lines: Number(found[1]!.replaceAll(',', '')) };
}

/** Writes the first line of an excerpt. {@link readExcerptHead} reads it. @param kept number of kept lines */
export function writeExcerptHead({ line, lines }: ExcerptHead, kept: number): string {
  return `${line}; excerpt, ${formatCount(kept)} of ${formatCount(lines)} lines:`;
}
