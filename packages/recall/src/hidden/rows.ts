import { splitsPair } from '@palimpsest/pruner/salience';

/** Maximum length of a row, in characters. Longer lines are wrapped. */
const maxRowLength = 500;
/** Maximum length of a chunk, in characters, except for the last one. */
const chunkLength = 700;
/** A shorter remainder at the end is added to the chunk before it. */
const minChunkLength = 250;

/** A piece of a text, made of whole rows. Searches return chunks. */
export interface Chunk {
  readonly from: number;
  readonly to: number;
  /** Number of its first row, from 1. */
  readonly row: number;
}

/**
 * Calls `found` with each row of a text: a line, or a piece of one over {@link maxRowLength} characters. Stops when
 * `found` returns `false`.
 * @param from the start of a row
 */
export function eachRow(
  text: string,
  from: number,
  to: number,
  visit: (from: number, to: number, lineEnd: number) => boolean | undefined,
): void {
  let at = from;
  while (at < to) {
    const newline = text.indexOf('\n', at);
    const lineEnd = newline < 0 || newline > to ? to : newline;
    do {
      let end = Math.min(lineEnd, at + maxRowLength);
      if (end < lineEnd && splitsPair(text, end)) end--;
      if (visit(at, end, lineEnd) === false) return;
      at = end;
    } while (at < lineEnd);
    at = lineEnd + 1;
  }
}

/** Splits a text into chunks of whole rows. */
export function chunksOf(text: string): Chunk[] {
  const chunks: Chunk[] = [];
  let start = 0;
  let first = 1;
  let row = 0;
  eachRow(text, 0, text.length, (from, to) => {
    row++;
    // With this row, the chunk would be too long.
    if (from > start && to - start > chunkLength) {
      chunks.push({ from: start, to: from, row: first });
      start = from;
      first = row;
    }
    return true;
  });
  if (start >= text.length) return chunks;
  // A short remainder stays with the rows before it: the last lines of an output are often its result.
  const last = text.length - start < minChunkLength ? chunks.pop() : undefined;
  chunks.push({ from: last?.from ?? start, to: text.length, row: last?.row ?? first });
  return chunks;
}
