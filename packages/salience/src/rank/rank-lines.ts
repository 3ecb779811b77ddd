import { estimateTokens } from '@palimpsest/tokens';
import { type CallPurpose, callPurpose } from '../kinds/call-purpose.ts';
import type { LineKind, TurnLine, TurnLines } from '../read/read-turns.ts';
import { identifierWeights } from './identifier-weights.ts';
import { withNeighbors } from './neighbor-worth.ts';

// The numbers below were fitted to future-reference recall, on the development half of the bench's transcripts and on
// transcripts too large for the bench. The bench's report has the results on the held-out half.

/**
 * Weight by kind, for lines of the same age. Requests stay relevant longer than what the agent says about them, and a line
 * of a summary covers more than other lines.
 */
const kindWeight: Readonly<Record<LineKind, number>> = {
  user: 2.7,
  agent: 0.4,
  call: 0.45,
  input: 1.6,
  result: 1,
  summary: 2.7,
  system: 0.2,
};

/** Weight of a result by the purpose of its call: a file is looked at again, a build's output is not. */
const purposeWeight: Readonly<Record<CallPurpose, number>> = { lookup: 1, display: 0.25, action: 0.04 };

/** How fast lines lose worth. What the agent writes is edited, quoted or run again soon or not at all. */
const aging = { written: 0.9, received: 0.1 } as const;

/** Age in tokens to the end of the transcript at which aging has no effect: newer lines gain, older ones lose. */
const neutralAge = 22_000;
/** Added to every age, so that the newest lines do not outweigh all others. */
const youngest = 100;

/** Weight of a line that is repeated later: enough to be kept with the lines around it if there is room. */
const repeatedLater = 0.01;
/** Weight of a line that repeats an earlier one: what was looked at twice is being worked on. */
const repeatsEarlier = 3.3;

/** Exponent of a line's length, which counts against its identifiers, and the tokens added to every length. */
const lengthExponent = 0.4;
const addedLength = 12;

/** Weight of a line with a word of the focus topic. */
const focusWeight = 30;

/** The ranks of all lines, by index of the line. */
export interface LineRanks {
  /** How likely a line is needed again, per token. Above 0. */
  readonly scores: Float64Array;
  /** Estimated tokens. */
  readonly costs: Float64Array;
  /** 1 for lines with a word of the focus topic. */
  readonly focused: Uint8Array;
}

/**
 * Ranks lines by how likely they are needed again. Rare identifiers that people and calls use count most; lookups count
 * more than reports, newer lines more than older ones, and neighbors raise each other, so that lines are kept in runs.
 * Linear in the text.
 * @param focus words of the focus topic, in lower case
 */
export function rankLines(record: TurnLines, focus: readonly string[]): LineRanks {
  const { lines } = record;
  const names = identifierWeights(record);
  const purposes = record.calls.map((call) => purposeWeight[callPurpose(call)]);
  const repeats = repeatWeights(lines);
  const worths = new Float64Array(lines.length);
  const costs = new Float64Array(lines.length);
  const focused = new Uint8Array(lines.length);
  let after = 0;
  for (let index = lines.length - 1; index >= 0; index--) {
    const line = lines[index]!;
    const { kind, call, text } = line;
    const cost = estimateTokens(text) + 1;
    costs[index] = cost;
    after += cost;
    if (hasFocus(line, focus)) focused[index] = 1;
    const isWritten = kind === 'agent' || kind === 'call' || kind === 'input';
    worths[index] =
      ((1 + names[index]!) / (cost + addedLength) ** lengthExponent) *
      kindWeight[kind] *
      (kind === 'result' && call >= 0 ? purposes[call]! : 1) *
      ((after + youngest) / neutralAge) ** -(isWritten ? aging.written : aging.received) *
      repeats[index]! *
      (focused[index] ? focusWeight : 1);
  }
  return { scores: withNeighbors(lines, worths), costs, focused };
}

/** By line, its weight for repeating an earlier line, or being repeated later. */
function repeatWeights(lines: readonly TurnLine[]): Float64Array {
  const worths = new Float64Array(lines.length).fill(1);
  const newest = new Map<string, number>();
  lines.forEach(({ text }, index) => {
    const key = text.trim();
    const earlier = newest.get(key);
    newest.set(key, index);
    if (earlier === undefined) return;
    worths[earlier] = repeatedLater * worths[earlier]!;
    worths[index] = repeatsEarlier;
  });
  return worths;
}

function hasFocus(line: TurnLine, focus: readonly string[]): boolean {
  if (focus.length === 0) return false;
  const text = line.text.toLowerCase();
  return focus.some((word) => text.includes(word));
}
