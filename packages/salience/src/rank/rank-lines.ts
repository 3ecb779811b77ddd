import { estimateTokens } from '@palimpsest/tokens';
import { type CallPurpose, callPurpose } from '../kinds/call-purpose.ts';
import type { LineKind, TurnLine, TurnLines } from '../read/read-turns.ts';
import { identifierWeights } from './identifier-weights.ts';
import { withNeighbors } from './neighbor-worth.ts';

// The figures below were fitted to future-reference recall on the bench's development half and on transcripts that the
// bench leaves out for their size. What the held-out half says of them is in the bench's report.

/**
 * Weight of a line by kind, relative to other lines of the same age. Requests stay relevant longer than the talk about
 * them, and a line of a summary covers more than other lines.
 */
const kindWorth: Readonly<Record<LineKind, number>> = {
  user: 2.7,
  agent: 0.4,
  call: 0.45,
  input: 1.6,
  result: 1,
  summary: 2.7,
  system: 0.2,
};

/** Of a result's worth, what is left by what its call was made for: a page is looked at again, a build's output is not. */
const yieldWorth: Readonly<Record<CallPurpose, number>> = { found: 1, shown: 0.25, done: 0.04 };

/** How fast lines age: what the agent says and does it edits, quotes and reruns soon or not at all. */
const ages = { said: 0.9, given: 0.1 } as const;

/** Tokens to the end at which all lines are weighed alike but for their kind, and below which none gets younger. */
const middleAge = 22_000;
const youngest = 100;

/** What is left of a line that comes again later: enough to join what stands around it when there is room. */
const comesAgain = 0.01;
/** How much more a line is worth that came before: what was looked at twice is worked on. */
const cameBefore = 3.3;

/** How much a line's length counts against it beside what it names, and the tokens at which that begins. */
const perToken = 0.4;
const frame = 12;

/** What naming the focus topic adds: more than the identifiers of an ordinary line. */
const focusWorth = 30;

/** The lines with what the ranking found out about them. */
export interface RankedLines {
  /** By line, how likely it is needed again, per token: what is best kept first. Above 0. */
  readonly scores: Float64Array;
  /** Tokens per line. */
  readonly costs: Float64Array;
  /** 1 for lines of the focus topic. */
  readonly focused: Uint8Array;
}

/**
 * Ranks lines by how likely they are needed again: those with rare identifiers that people and calls use, what was
 * looked up before what was merely reported, late before early, and in runs. Linear in the text.
 * @param focus words of the focus topic, in lower case
 */
export function rankLines(record: TurnLines, focus: readonly string[]): RankedLines {
  const { lines } = record;
  const names = identifierWeights(record);
  const yields = record.calls.map((call) => yieldWorth[callPurpose(call)]);
  const repeats = repeatWorths(lines);
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
    const said = kind === 'agent' || kind === 'call' || kind === 'input';
    worths[index] =
      ((1 + names[index]!) / (cost + frame) ** perToken) *
      kindWorth[kind] *
      (kind === 'result' && call >= 0 ? yields[call]! : 1) *
      ((after + youngest) / middleAge) ** -(said ? ages.said : ages.given) *
      repeats[index]! *
      (focused[index] ? focusWorth : 1);
  }
  return { scores: withNeighbors(lines, worths), costs, focused };
}

/** By line, what it is worth for having come before, or for coming again. */
function repeatWorths(lines: readonly TurnLine[]): Float64Array {
  const worths = new Float64Array(lines.length).fill(1);
  const newest = new Map<string, number>();
  lines.forEach(({ text }, index) => {
    const key = text.trim();
    const earlier = newest.get(key);
    newest.set(key, index);
    if (earlier === undefined) return;
    // Whether it came before as well.
    worths[earlier] = comesAgain * worths[earlier]!;
    worths[index] = cameBefore;
  });
  return worths;
}

function hasFocus(line: TurnLine, focus: readonly string[]): boolean {
  if (focus.length === 0) return false;
  const text = line.text.toLowerCase();
  return focus.some((word) => text.includes(word));
}
