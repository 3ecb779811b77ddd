import type { TurnLine } from '../read/read-turns.ts';

/** Share of a line's worth that comes from its neighbors, in each of several rounds: facts often span several lines. */
const neighborShare = 0.65;
const rounds = 4;
/** Worth assumed beyond the first and last line of a text, as a share of that line's own. */
const beyondEdge = 0.5;

/** Evens out the worth of neighboring lines in the same text, so that lines are kept in runs. */
export function withNeighbors(lines: readonly TurnLine[], worths: Float64Array): Float64Array {
  // By line, 1 if it is in the same text as the line before it. One longer than the lines, to look ahead.
  const joined = new Uint8Array(lines.length + 1);
  for (let index = 1; index < lines.length; index++) {
    const line = lines[index]!;
    const before = lines[index - 1]!;
    if (line.at === before.at && line.kind === before.kind && line.call === before.call) joined[index] = 1;
  }
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
