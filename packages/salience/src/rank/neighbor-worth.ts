import type { TurnLine } from '../read/read-turns.ts';

/** Of a line's worth, what its neighbours in the same text add, and how often: facts and quotations run over line ends. */
const neighbours = 0.65;
const rounds = 4;
/** What stands beside the first and the last line of a text, in shares of their own worth. */
const beyond = 0.5;

/** Worths by line, each drawn towards those of the lines around it in the same text, so that lines are kept in runs. */
export function withNeighbors(lines: readonly TurnLine[], worths: Float64Array): Float64Array {
  // One more than there are lines: whether a line goes on in the text of the one before it.
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
      const before = joined[index] ? from[index - 1]! : own * beyond;
      const after = joined[index + 1] ? from[index + 1]! : own * beyond;
      to[index] = own * (1 - neighbours) + ((before + after) / 2) * neighbours;
    }
    from = to;
  }
  return from;
}
