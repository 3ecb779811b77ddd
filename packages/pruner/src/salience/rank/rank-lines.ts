import { estimateTokens } from '@palimpsest/tokens';
import { type CallPurpose, callPurpose } from '../kinds/call-purpose.ts';
import {
  bareText,
  isSameText,
  type LineKind,
  type TranscriptLine,
  type TranscriptLines,
} from '../read/read-transcript-lines.ts';
import { identifierWeights } from './identifier-weights.ts';

/** Share of a line's worth that comes from its neighbors in each of several rounds, because facts often span lines. */
const neighborShare = 0.65;

const rounds = 4;

/** Worth assumed before the first and after the last line of a text, as a share of that line's worth. */
const beyondEdge = 0.5;

/** Repetitions of lines: 1 or 0, by index of the line. */
interface LineRepeats {
  /** 1 if the line occurs again later. */
  readonly isRepeated: Uint8Array;
  /** 1 if the line repeats an earlier line. */
  readonly repeats: Uint8Array;
}

// A line's score is a sum of the terms below; its worth per token is e to the power of the score. The terms were set by
// hand and compared by future-reference recall on the bench's transcripts. Fitted weights were worse for kinds of agents
// that the fit did not include: see contributing/decisions/ranking-by-hand.md.

/** Score by kind. People's words stay relevant longest; a line of a summary represents a whole session. */
const kindScore: Readonly<Record<LineKind, number>> = {
  user: 0.5,
  agent: -0.25,
  call: -0.25,
  input: 0.47,
  result: 0,
  summary: 3,
  system: -1.6,
};

/** Score of a result by the purpose of its call. A file is often needed again; a build's output is not. */
const purposeScore: Readonly<Record<CallPurpose, number>> = { lookup: 0, display: -1.4, change: -1.2, action: -2.5 };
/** Score of a result without a call, which is text of a harness. */
const harnessScore = -0.7;

/**
 * Change of the score when the age grows by a factor of `e`. Text by the agent is edited, quoted or run again soon or
 * never.
 */
const agingOf = { received: -0.1, written: -0.65 } as const;
/** Age, in tokens to the end of the transcript, at which aging has no effect. Newer lines gain, older lines lose. */
const neutralAge = 22_000;
/** Added to every age, so that the newest lines do not outweigh all others. */
const youngest = 100;

/** Change of the score when a line's identifier weight or heat, each plus 1, grows by a factor of `e`. */
const namesScore = 0.95;
const heatScore = 0.5;
/**
 * Change of the score when the length grows by a factor of `e`. Compensates for longer lines having more identifiers.
 */
const lengthScore = -0.4;
/** Change of the score when a line's place in its result grows by a factor of `e`. Important lines come first. */
const placeScore = -0.04;
/** The same for a line in a summary, whose first sections contain text that exists nowhere else. */
const summaryPlaceScore = -1;
const urlScore = -0.5;
/** Scores of a line that is repeated later, and of a line that repeats an earlier one. */
const repeatedScore = -2;
const repeatsScore = 1.2;

/** Factor for the worth of a line that contains a word of the focus topic. */
const focusWeight = 30;

/** The ranks of all lines, by index of the line. */
export interface LineRanks {
  /** Worth per token: how likely the line is needed again. Above 0. */
  readonly scores: Float64Array;
  /** Estimated tokens, without line numbers of listings. */
  readonly costs: Float64Array;
  /** 1 for lines that contain a word of the focus topic. */
  readonly focused: Uint8Array;
}

/**
 * Ranks lines by how likely they are needed again. Rare identifiers that people and calls use count most, especially
 * recently used ones. Lookups count more than reports, and newer lines more than older ones. Neighbors raise each
 * other's rank, so that adjacent lines are kept together. Linear in the length of the text.
 * @param focus words of the focus topic, in lower case
 */
export function rankLines(record: TranscriptLines, focus: readonly string[]): LineRanks {
  const { lines } = record;
  const { weights, heats } = identifierWeights(record);
  const { isRepeated, repeats } = lineRepeats(lines);
  const purposes = record.calls.map((call) => purposeScore[callPurpose(call)]);
  const places = placesInText(lines);
  const worths = new Float64Array(lines.length);
  const costs = Float64Array.from(lines, (line) => estimateTokens(bareText(line)) + 1);
  const focused = new Uint8Array(lines.length);
  let after = 0;
  for (let index = lines.length - 1; index >= 0; index--) {
    const line = lines[index]!;
    const { kind, call } = line;
    const cost = costs[index]!;
    const isWritten = kind === 'agent' || kind === 'call' || kind === 'input';
    let score =
      kindScore[kind] +
      agingOf[isWritten ? 'written' : 'received'] * Math.log((after + youngest) / neutralAge) +
      namesScore * Math.log(1 + weights[index]!) +
      heatScore * Math.log(1 + heats[index]!) +
      lengthScore * Math.log(cost) +
      repeatedScore * isRepeated[index]! +
      repeatsScore * repeats[index]!;
    if (kind === 'result')
      score += (call < 0 ? harnessScore : purposes[call]!) + placeScore * Math.log(1 + places[index]!);
    if (kind === 'summary') score += summaryPlaceScore * Math.log(1 + places[index]!);
    if (line.text.includes('://')) score += urlScore;
    if (hasFocus(line, focus)) focused[index] = 1;
    worths[index] = Math.exp(score) * (focused[index] ? focusWeight : 1);
    after += cost;
  }
  return { scores: withNeighbors(lines, worths), costs, focused };
}

/** Returns the place of each line in its text, from 1. */
function placesInText(lines: readonly TranscriptLine[]): Int32Array {
  const places = new Int32Array(lines.length);
  lines.forEach((line, index) => {
    places[index] = isSameText(line, lines[index - 1]) ? places[index - 1]! + 1 : 1;
  });
  return places;
}

function hasFocus(line: TranscriptLine, focus: readonly string[]): boolean {
  if (focus.length === 0) return false;
  const text = line.text.toLowerCase();
  return focus.some((word) => text.includes(word));
}

/** Finds lines with the same text. Linear time. */
function lineRepeats(lines: readonly TranscriptLine[]): LineRepeats {
  const isRepeated = new Uint8Array(lines.length);
  const repeats = new Uint8Array(lines.length);
  const newest = new Map<string, number>();
  lines.forEach(({ text }, index) => {
    const key = text.trim();
    const earlier = newest.get(key);
    newest.set(key, index);
    if (earlier === undefined) return;
    isRepeated[earlier] = 1;
    repeats[index] = 1;
  });
  return { isRepeated, repeats };
}

/** Smooths the worth of neighboring lines in the same text, so that adjacent lines are kept together. */
function withNeighbors(lines: readonly TranscriptLine[], worths: Float64Array): Float64Array {
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
