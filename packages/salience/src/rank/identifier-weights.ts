import { eachIdentifier } from '../read/identifiers.ts';
import type { TurnLines } from '../read/read-turns.ts';

/** What an identifier adds that only tools name, when one that people or calls use adds 1. */
const onlyByTools = 0.05;

/**
 * By line, what its identifiers are worth together: the rarer in the turns, the more, and hardly anything when neither
 * people nor calls use them. An identifier counts once a line. Linear in the text.
 */
export function identifierWeights({ lines, length }: TurnLines): Float64Array {
  const ids = new Map<string, number>();
  const messagesWith: number[] = [];
  const lastMessage: number[] = [];
  const lastLine: number[] = [];
  const spoken: number[] = [];
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
        spoken.push(0);
      }
      if (lastLine[id] === index) return;
      lastLine[id] = index;
      flat.push(id);
      if (lastMessage[id] !== line.at) {
        messagesWith[id]!++;
        lastMessage[id] = line.at;
      }
      if (line.kind !== 'result' && line.kind !== 'system') spoken[id] = 1;
    });
  });
  starts[lines.length] = flat.length;
  const weights = Float64Array.from(
    messagesWith,
    (messages, id) => (spoken[id] ? 1 : onlyByTools) * Math.log(1 + length / messages),
  );
  return Float64Array.from(lines, (_, index) => {
    let sum = 0;
    for (let at = starts[index]!; at < starts[index + 1]!; at++) sum += weights[flat[at]!]!;
    return sum;
  });
}
