import { estimateTokens } from '@palimpsest/tokens';
import { eachIdentifier } from './identifiers.ts';
import type { LineKind, RecordLine, TurnRecord } from './record-line.ts';

/**
 * What an identifier that people or calls use adds to a line, and one that only tools name; what tokens take away from it,
 * and how fast lines age. What the agent said and did is worth more than what tools gave back, but only for a while: it
 * is edited, quoted and rerun soon or not at all, while a listing is looked up again much later. These figures lie midway
 * between two that were fitted to future-reference recall on different transcripts, and keep more than either on what it
 * was not fitted to.
 */
const usedNames = 1;
const unused = 0.1;
const perToken = 0.85;
const ages = { said: 0.7, given: 0.15 } as const;

/** How much more than others of their age these lines are worth. Requests do not age like the talk about them. */
const kindWorth: Readonly<Record<LineKind, number>> = {
  user: 2.8,
  agent: 1.8,
  call: 1.6,
  input: 2.6,
  result: 1.1,
  system: 0.2,
};

/** What naming the focus topic adds: more than the identifiers of an ordinary line. */
const focusWorth = 30;

/** Tokens to the end at which all kinds are weighed alike but for {@link kindWorth}, and below which none gets younger. */
const middleAge = 22_000;
const youngest = 100;

/** Added to a line's tokens before its worth is divided by them, or short lines of little use would always win. */
const frame = 12;

/** The lines with what the ranking found out about them. */
export interface RankedLines {
  /** Worth per line: how likely its facts are needed again, per token. 0 for a repeat of a later line. */
  readonly scores: Float64Array;
  /** Tokens per line. */
  readonly costs: Float64Array;
  /** 1 for lines of the focus topic. */
  readonly focused: Uint8Array;
}

/**
 * Ranks lines by how likely their facts are needed again: identifiers that are rare and that people and calls use, late
 * before early. One pass to learn the identifiers, one to score the lines; linear in the text.
 * @param focus words of the focus topic, in lower case
 */
export function rankLines(record: TurnRecord, focus: readonly string[]): RankedLines {
  const { lines, length } = record;
  const ids = new Map<string, number>();
  const messagesWith: number[] = [];
  const lastMessage: number[] = [];
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
        spoken.push(0);
      }
      flat.push(id);
      if (lastMessage[id] !== line.at) {
        messagesWith[id]!++;
        lastMessage[id] = line.at;
      }
      if (line.kind !== 'result' && line.kind !== 'system') spoken[id] = 1;
    });
  });
  starts[lines.length] = flat.length;
  const weights = new Float64Array(messagesWith.length);
  for (let id = 0; id < weights.length; id++)
    weights[id] = (spoken[id] ? 1 : unused) * Math.log(1 + length / messagesWith[id]!);
  const scores = new Float64Array(lines.length);
  const costs = new Float64Array(lines.length);
  const seen = new Set<string>();
  const focused = new Uint8Array(lines.length);
  const counted = new Int32Array(weights.length).fill(-1);
  let after = 0;
  for (let index = lines.length - 1; index >= 0; index--) {
    const line = lines[index]!;
    const cost = estimateTokens(line.text) + 1;
    costs[index] = cost;
    after += cost;
    const key = line.text.trim();
    if (seen.has(key)) continue;
    seen.add(key);
    let worth = 1;
    for (let at = starts[index]!; at < starts[index + 1]!; at++) {
      const id = flat[at]!;
      if (counted[id] === index) continue;
      counted[id] = index;
      worth += weights[id]!;
    }
    const given = line.kind === 'result' || line.kind === 'system' || line.kind === 'user';
    if (hasFocus(line, focus)) focused[index] = 1;
    const age = (after + youngest) / middleAge;
    const late = (line.at + 1) / length;
    scores[index] =
      (worth ** usedNames *
        kindWorth[line.kind] *
        age ** -(given ? ages.given : ages.said) *
        Math.sqrt(0.3 + 0.7 * late * late) *
        (focused[index] ? focusWorth : 1)) /
      (cost + frame) ** perToken;
  }
  return { scores: smoothed(record, scores), costs, focused };
}

function hasFocus(line: RecordLine, focus: readonly string[]): boolean {
  if (focus.length === 0) return false;
  const text = line.text.toLowerCase();
  return focus.some((word) => text.includes(word));
}

/** Of a line's worth, what its neighbours in the same text add, and how often: facts and quotations run over line ends. */
const neighbours = 0.65;
const rounds = 2;

function smoothed({ lines }: TurnRecord, scores: Float64Array): Float64Array {
  // One more than there are lines: whether a line goes on in the text of the one before it.
  const joined = new Uint8Array(lines.length + 1);
  for (let index = 1; index < lines.length; index++) {
    const line = lines[index]!;
    const before = lines[index - 1]!;
    if (line.at === before.at && line.kind === before.kind && line.call === before.call) joined[index] = 1;
  }
  let from = scores;
  for (let round = 0; round < rounds; round++) {
    const to = new Float64Array(from.length);
    for (let index = 0; index < from.length; index++) {
      const own = from[index]!;
      // A repeat stays worth nothing.
      if (own === 0) continue;
      const before = joined[index] ? from[index - 1]! : own * 0.5;
      const after = joined[index + 1] ? from[index + 1]! : own * 0.5;
      to[index] = own * (1 - neighbours) + ((before + after) / 2) * neighbours;
    }
    from = to;
  }
  return from;
}
