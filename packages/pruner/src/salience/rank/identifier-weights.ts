import { eachIdentifier } from '../read/identifiers.ts';
import { bareText, type TranscriptLines } from '../read/read-transcript-lines.ts';

/** Weight of an identifier that occurs only in tool results, relative to 1 for one that people or calls use. */
const onlyInResults = 0.05;
/** Number of messages without a use by people or calls after which an identifier's heat halves. */
const coolingMessages = 10;

/** The worth of the identifiers in each line, by index of the line. An identifier counts once per line. */
export interface IdentifierWeights {
  /** Total weight. Rare identifiers weigh more. Those that neither people nor calls use weigh almost nothing. */
  readonly weights: Float64Array;
  /** Total weight of identifiers that people or calls use. It decreases with the time since their last use. */
  readonly heats: Float64Array;
}

/** Computes the weight of the identifiers in each line. Linear in the length of the text. */
export function identifierWeights({ lines, length }: TranscriptLines): IdentifierWeights {
  const ids = new Map<string, number>();
  const messagesWith: number[] = [];
  const lastMessage: number[] = [];
  const lastLine: number[] = [];
  const lastUse: number[] = [];
  const starts = new Int32Array(lines.length + 1);
  const flat: number[] = [];
  lines.forEach((line, index) => {
    starts[index] = flat.length;
    const isUse = line.kind !== 'result' && line.kind !== 'system';
    eachIdentifier(bareText(line), (identifier) => {
      let id = ids.get(identifier);
      if (id === undefined) {
        id = messagesWith.length;
        ids.set(identifier, id);
        messagesWith.push(0);
        lastMessage.push(-1);
        lastLine.push(-1);
        lastUse.push(-1);
      }
      if (lastLine[id] === index) return;
      lastLine[id] = index;
      flat.push(id);
      if (lastMessage[id] !== line.at) {
        messagesWith[id]!++;
        lastMessage[id] = line.at;
      }
      if (isUse) lastUse[id] = line.at;
    });
  });
  starts[lines.length] = flat.length;
  const weightOf = Float64Array.from(
    messagesWith,
    (messages, id) => (lastUse[id]! < 0 ? onlyInResults : 1) * Math.log(1 + length / messages),
  );
  const heatOf = weightOf.map((weight, id) =>
    lastUse[id]! < 0 ? 0 : weight / (1 + (length - lastUse[id]!) / coolingMessages),
  );
  const weights = new Float64Array(lines.length);
  const heats = new Float64Array(lines.length);
  for (let index = 0; index < lines.length; index++)
    for (let at = starts[index]!; at < starts[index + 1]!; at++) {
      weights[index]! += weightOf[flat[at]!]!;
      heats[index]! += heatOf[flat[at]!]!;
    }
  return { weights, heats };
}
