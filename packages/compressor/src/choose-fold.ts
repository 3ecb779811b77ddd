import type { Dialect } from '@palimpsest/core';
import { tailStarts } from '@palimpsest/core/authoring';
import { classGain, worthClasses } from '@palimpsest/salience';
import { type Measures, measureStretch, type Stretch } from './stretch.ts';

/** What a fold is chosen from. */
export interface FoldChoiceInput extends Measures {
  readonly dialect: Dialect;
  /** The group where the kept head ends. */
  readonly head: number;
  /** The groups a tail may start at, at most: what lies between is for choice. */
  readonly starts: readonly [first: number, last: number];
  /** What a target leaves to handoff, head and tail beside what must stay. Tokens. */
  readonly roomTokens: number;
  /** The most a handoff may hold that replaces so many tokens. */
  readonly handoffLimit: (sourceTokens: number) => number;
}

export interface FoldChoice {
  /** The group where the tail starts; `head` when nothing folds. */
  readonly start: number;
  /** What the handoff is best given. Tokens. */
  readonly handoffTokens: number;
}

/**
 * What a quoted line costs in a handoff beyond what it costs where it stands, when half of the transcript or more may
 * stay. With less room it is less in proportion: to keep few lines where they stand, all that was said around them has
 * to stay. Chosen on the bench's development half.
 */
const quotingMore = 0.2;
const ampleRoom = 0.5;
/** A handoff that could hold less than this says nothing. Tokens. */
const leastHandoff = 200;
/** Starts that are compared; of more, these many spread evenly. */
const compared = 40;
/** The best start without a lead-in is preferred if it reaches this share of the best gain overall. */
const plainShare = 0.9;

/**
 * How much to fold under a target. Whatever stays costs at least its messages with their results as stubs; the lines of
 * folded messages, in the handoff, then compete with the lines of the results that stay for the room that is left. Of the
 * starts a tail may have, the one that keeps the lines worth most. Linear.
 */
export function chooseFold(input: FoldChoiceInput): FoldChoice {
  const { transcript, head } = input;
  const starts = startsToCompare(input);
  const measure = (from: number, to: number): Stretch => measureStretch(input, [from, to]);
  const stretches = starts.map((from, index) => measure(from, starts[index + 1] ?? transcript.groups.length));
  const kept = measure(0, head);
  const opens = tailStarts(input.transcript, input.dialect);
  const none: FoldChoice & { readonly gain: number } = {
    start: starts.at(-1)!,
    handoffTokens: 0,
    gain: Number.NEGATIVE_INFINITY,
  };
  let best = none;
  let bestPlain = none;
  starts.forEach((start, index) => {
    const folded = stretches.slice(0, index);
    // An earlier handoff alone is rewritten only if the target cannot be met while keeping it.
    if (index > 0 && best.start === head && best.gain > none.gain && !folded.some(saysAnything)) return;
    const share = shareOut(folded, [kept, ...stretches.slice(index)], input);
    if (!share) return;
    if (share.gain > best.gain) best = { start, ...share };
    if (share.gain > bestPlain.gain && (start === head || opens[start] === 1)) bestPlain = { start, ...share };
  });
  const { start, handoffTokens } = bestPlain.gain >= best.gain * plainShare ? bestPlain : best;
  return { start, handoffTokens };
}

/** Nothing folded, and every group a tail may start at. */
function startsToCompare({ transcript, head, dialect, starts: [first, last] }: FoldChoiceInput): number[] {
  const legal = tailStarts(transcript, dialect);
  const starts = [head];
  for (let start = Math.max(first, head + 1); start <= last; start++) if (legal[start]) starts.push(start);
  if (starts.length <= compared) return starts;
  const step = (starts.length - 1) / (compared - 1);
  return Array.from({ length: compared }, (_, index) => starts[Math.round(index * step)]!);
}

/** Fills the room, the lines of most worth first; `null` when what stays leaves none. */
function shareOut(
  folded: readonly Stretch[],
  stays: readonly Stretch[],
  { transcript, roomTokens, handoffLimit }: FoldChoiceInput,
): { readonly gain: number; readonly handoffTokens: number } | null {
  const source = sum(folded, ({ tokens }) => tokens);
  const carried = sum(folded, (stretch) => stretch.carried);
  const quoting = 1 + quotingMore * Math.min(1, roomTokens / (transcript.totalTokens * ampleRoom));
  let room = roomTokens - carried - sum(stays, ({ leastTokens }) => leastTokens);
  if (room < Math.min(leastHandoff, source / 2)) return null;
  let gain = sum(stays, ({ said }) => said);
  let limit = Math.max(0, Math.min(handoffLimit(source), source / 2) - carried);
  let handoffTokens = carried;
  for (let place = worthClasses - 1; place >= 0 && room > 0; place--) {
    const quoted = Math.min(limit, sum(folded, ({ quotable }) => quotable[place]!) * quoting);
    const beside = sum(stays, ({ results }) => results[place]!);
    const share = Math.min(1, room / Math.max(1e-9, quoted + beside));
    room -= (quoted + beside) * share;
    limit -= quoted * share;
    handoffTokens += quoted * share;
    gain += (quoted / quoting + beside) * share * classGain[place]!;
  }
  // What no line needs is the handoff's: its other sections need some.
  return { gain, handoffTokens: handoffTokens + Math.min(Math.max(0, room), limit) };
}

/** False if a stretch holds only an earlier handoff, whose lines do not count as transcript lines. */
function saysAnything({ quotable }: Stretch): boolean {
  return quotable.some((tokens) => tokens > 0);
}

function sum(stretches: readonly Stretch[], of: (stretch: Stretch) => number): number {
  return stretches.reduce((total, stretch) => total + of(stretch), 0);
}
