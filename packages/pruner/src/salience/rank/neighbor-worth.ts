import { isSameText, type TranscriptLine } from '../read/read-transcript-lines.ts';

/** Share of a line's worth that comes from its neighbors in each of several rounds, because facts often span lines. */
const neighborShare = 0.65;
const rounds = 4;
/** Worth assumed before the first and after the last line of a text, as a share of that line's worth. */
const beyondEdge = 0.5;

/** Smooths the worth of neighboring lines in the same text, so that adjacent lines are kept together. */
export function withNeighbors(lines: readonly TranscriptLine[], worths: Float64Array): Float64Array {
  // For each line, 1 if it is in the same text as the line before it. Has one more entry, to look ahead.
  const joined = new Uint8Array(lines.length + 1);
  for (let index = 1; index < lines.length; index++) if (isSameText(lines[index]!, lines[index - 1])) joined[index] = 1;
  let from = worths;
  for (let round = 0; round < rounds; round++) {
    const to = new Float64Array(from.length);
    for (let index = 0; index < from.length; index++) {
      const own = from[index]!;
      const before = joined[index] ? from[index - 1]! : own * beyondEdge;
      const after = joined[index + 1] ? from[index + 1]! : own * beyondEdge;
      to[index] = own * (1 - neighborShare) + ((before + after) / 2) * neighborShare;
    }
    from = to;
  }
  return from;
}
