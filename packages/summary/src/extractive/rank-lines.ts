import { estimateTokens } from '@palimpsest/tokens';
import { eachIdentifier } from './identifiers.ts';
import type { LineKind, RecordLine, TurnRecord } from './record-line.ts';

/**
 * How much each kind of line is worth. What the agent wrote itself, it edits, quotes and reruns later; what tools gave
 * back it mostly does not. Chosen by future-reference recall on one half of the bench's transcripts.
 */
const kindWorth: Readonly<Record<LineKind, number>> = {
  user: 2,
  agent: 1.5,
  call: 1.2,
  input: 3,
  result: 1.2,
  system: 0.2,
};

/** Added to a line's tokens before its worth is divided by them, or short lines of little use would always win. */
const frame = 12;

/** The lines with what the ranking found out about them. */
export interface RankedLines {
  /** Worth per line: how likely its facts are needed again, per token. 0 for a repeat of a later line. */
  readonly scores: Float64Array;
  /** Tokens per line. */
  readonly costs: Float64Array;
}

/**
 * Ranks lines by how likely their facts are needed again: identifiers that are rare, that people and calls use, and
 * use late. One pass to learn the identifiers, one to score the lines; linear in the text.
 * @param focus words of the focus topic, in lower case
 */
export function rankLines(record: TurnRecord, focus: readonly string[]): RankedLines {
  const { lines, length } = record;
  const ids = new Map<string, number>();
  const messagesWith: number[] = [];
  const lastMessage: number[] = [];
  const spoken: number[] = [];
  const lastSpoken: number[] = [];
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
        spoken.push(0);
        lastSpoken.push(-1);
      }
      flat.push(id);
      if (lastMessage[id] !== line.at) {
        messagesWith[id]!++;
        lastMessage[id] = line.at;
      }
      if (line.kind !== 'result' && line.kind !== 'system' && lastSpoken[id] !== line.at) {
        spoken[id]!++;
        lastSpoken[id] = line.at;
      }
    });
  });
  starts[lines.length] = flat.length;
  const weights = new Float64Array(messagesWith.length);
  for (let id = 0; id < weights.length; id++) {
    const rarity = Math.log(1 + length / messagesWith[id]!);
    const late = (lastMessage[id]! + 1) / length;
    weights[id] = rarity * (spoken[id]! > 0 ? 1 : 0.25) * (0.3 + 0.7 * late);
  }
  const scores = new Float64Array(lines.length);
  const costs = new Float64Array(lines.length);
  const seen = new Set<string>();
  const counted = new Set<number>();
  for (let index = lines.length - 1; index >= 0; index--) {
    const line = lines[index]!;
    costs[index] = estimateTokens(line.text) + 1;
    const key = line.kind === 'call' ? line.text : line.text.trim();
    if (seen.has(key)) continue;
    seen.add(key);
    counted.clear();
    let worth = 0;
    for (let at = starts[index]!; at < starts[index + 1]!; at++) {
      const id = flat[at]!;
      if (counted.has(id)) continue;
      counted.add(id);
      worth += weights[id]!;
    }
    const late = (line.at + 1) / length;
    const base = line.kind === 'user' || line.kind === 'agent' || line.kind === 'call' ? 1 : 0.1;
    scores[index] =
      (Math.sqrt(worth + base) * kindWorth[line.kind] * (0.3 + 0.7 * late * late) * (hasFocus(line, focus) ? 4 : 1)) /
      (costs[index]! + frame);
  }
  return { scores: smoothed(record, scores), costs };
}

function hasFocus(line: RecordLine, focus: readonly string[]): boolean {
  if (focus.length === 0) return false;
  const text = line.text.toLowerCase();
  return focus.some((word) => text.includes(word));
}

/** Of a line's worth, what its neighbours in the same text add: facts and quotations run over line ends. */
const neighbours = 0.6;

function smoothed({ lines }: TurnRecord, scores: Float64Array): Float64Array {
  const result = new Float64Array(scores.length);
  for (let index = 0; index < scores.length; index++) {
    const own = scores[index]!;
    if (own === 0) continue;
    const { at, kind, call } = lines[index]!;
    const near = (other: number): number => {
      const line = lines[other];
      return line && line.at === at && line.kind === kind && line.call === call ? scores[other]! : own * 0.5;
    };
    result[index] = own * (1 - neighbours) + ((near(index - 1) + near(index + 1)) / 2) * neighbours;
  }
  return result;
}
