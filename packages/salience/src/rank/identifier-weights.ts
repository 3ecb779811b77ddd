import { eachIdentifier } from '../read/identifiers.ts';
import type { TurnLines } from '../read/read-turns.ts';

/** Weight of an identifier that appears only in tool results, where one that people or calls use has 1. */
const onlyInResults = 0.05;

/**
 * By line, the total weight of its identifiers. Rare identifiers weigh more; those that neither people nor calls use weigh
 * almost nothing. An identifier counts once per line. Linear in the text.
 */
export function identifierWeights({ lines, length }: TurnLines): Float64Array {
  const ids = new Map<string, number>();
  const messagesWith: number[] = [];
  const lastMessage: number[] = [];
  const lastLine: number[] = [];
  const isUsed: number[] = [];
  const starts = new Int32Array(lines.length + 1);
  const flat: number[] = [];
  lines.forEach((line, index) => {
    starts[index] = flat.length;
    eachIdentifier(line.text, (identifier) => {
      let id = ids.get(identifier);
      if (id === undefined) {
        id = messagesWith.length;
        ids.set(identifier, id);
        messagesWith.push(0);
        lastMessage.push(-1);
        lastLine.push(-1);
        isUsed.push(0);
      }
      if (lastLine[id] === index) return;
      lastLine[id] = index;
      flat.push(id);
      if (lastMessage[id] !== line.at) {
        messagesWith[id]!++;
        lastMessage[id] = line.at;
      }
      if (line.kind !== 'result' && line.kind !== 'system') isUsed[id] = 1;
    });
  });
  starts[lines.length] = flat.length;
  const weights = Float64Array.from(
    messagesWith,
    (messages, id) => (isUsed[id] ? 1 : onlyInResults) * Math.log(1 + length / messages),
  );
  return Float64Array.from(lines, (_, index) => {
    let sum = 0;
    for (let at = starts[index]!; at < starts[index + 1]!; at++) sum += weights[flat[at]!]!;
    return sum;
  });
}
