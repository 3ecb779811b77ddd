import type { Dialect } from '@palimpsest/core';
import { tailStarts } from '@palimpsest/core/authoring';
import { classGain, worthClasses } from '@palimpsest/pruner/salience';
import type { TailStartRange } from '../boundaries/middle-range.ts';
import { type RangeMeasures, type RangeStats, rangeStats } from './range-stats.ts';

/** Input for choosing the start of a tail when a target has to be met. */
export interface TailChoiceInput extends RangeMeasures {
  readonly dialect: Dialect;
  readonly bounds: TailStartRange;
  /** Tokens that the target leaves for handoff, head and tail, without messages that must stay. */
  readonly roomTokens: number;
  /** Returns the maximum tokens of a handoff that replaces `sourceTokens` tokens. */
  readonly handoffLimit: (sourceTokens: number) => number;
}

/** The start of the tail and the size of the handoff before it. */
export interface TailChoice {
  /** The group at which the tail starts; the end of the head when nothing is summarized. */
  readonly start: number;
  /** Tokens the handoff should have. */
  readonly handoffTokens: number;
}

interface RatedChoice extends TailChoice {
  readonly benefit: number;
}

/**
 * Extra cost of a line in a handoff compared with keeping it in place, if at least half of the transcript may stay.
 * With less room, the surcharge is proportionally smaller, because keeping a line in place also keeps the text around
 * it. Tuned on the development half of the benchmark.
 */
const quotingSurcharge = 0.2;
const ampleRoom = 0.5;
/** A handoff with less room than this is not useful. Tokens. */
const minHandoffTokens = 200;
/** Maximum number of starts to compare. If there are more, this many are picked at even intervals. */
const comparedStarts = 40;
/** The best start without a lead-in is preferred if it has this share of the best benefit overall. */
const plainShare = 0.9;

/**
 * Chooses how much to summarize to meet a target: of the legal tail starts, the one that keeps the most valuable lines.
 *
 * A message that stays costs at least its tokens with its tool results cut to stubs. The remaining room is shared
 * between lines of these tool results and lines of summarized messages that a handoff may quote. Linear time.
 */
export function chooseTailStart(input: TailChoiceInput): TailChoice {
  const { transcript, bounds, dialect } = input;
  const { head } = bounds;
  const starts = startsToCompare(input);
  const stats = starts.map((from, index) => rangeStats(input, [from, starts[index + 1] ?? transcript.groups.length]));
  const headStats = rangeStats(input, [0, head]);
  const legal = tailStarts(transcript, dialect);
  const none: RatedChoice = {
    start: starts.at(-1)!,
    // If no choice leaves ample room for a handoff, it gets whatever the smallest tail leaves.
    handoffTokens: Math.max(0, input.roomTokens - headStats.minTokens - stats.at(-1)!.minTokens),
    benefit: Number.NEGATIVE_INFINITY,
  };
  let best = none;
  let bestPlain = none;
  starts.forEach((start, index) => {
    const summarized = stats.slice(0, index);
    // A range with only an earlier handoff is rewritten only if the target cannot be met otherwise.
    if (index > 0 && best.start === head && best.benefit > none.benefit && !summarized.some(hasLines)) return;
    const shared = shareRoom(summarized, [headStats, ...stats.slice(index)], input);
    if (!shared) return;
    if (shared.benefit > best.benefit) best = { start, ...shared };
    if (shared.benefit > bestPlain.benefit && (start === head || legal[start] === 1)) bestPlain = { start, ...shared };
  });
  const { start, handoffTokens } = bestPlain.benefit >= best.benefit * plainShare ? bestPlain : best;
  return { start, handoffTokens };
}

/** The end of the head, which means no summary, and every group at which a tail may start. */
function startsToCompare({ transcript, dialect, bounds: { head, first, last } }: TailChoiceInput): number[] {
  const legal = tailStarts(transcript, dialect);
  const starts = [head];
  for (let start = Math.max(first, head + 1); start <= last; start++) if (legal[start]) starts.push(start);
  if (starts.length <= comparedStarts) return starts;
  const step = (starts.length - 1) / (comparedStarts - 1);
  return Array.from({ length: comparedStarts }, (_, index) => starts[Math.round(index * step)]!);
}

/** Fills the room with lines, highest worth first; `null` when the messages that stay leave no room for a handoff. */
function shareRoom(
  summarized: readonly RangeStats[],
  kept: readonly RangeStats[],
  { transcript, roomTokens, handoffLimit }: TailChoiceInput,
): { readonly benefit: number; readonly handoffTokens: number } | null {
  const sourceTokens = sum(summarized, ({ tokens }) => tokens);
  const recordTokens = sum(summarized, (stats) => stats.recordTokens);
  const quotingCost = 1 + quotingSurcharge * Math.min(1, roomTokens / (transcript.totalTokens * ampleRoom));
  let room = roomTokens - recordTokens - sum(kept, ({ minTokens }) => minTokens);
  if (room < Math.min(minHandoffTokens, sourceTokens / 2)) return null;
  let benefit = sum(kept, ({ textBenefit }) => textBenefit);
  let limit = Math.max(0, Math.min(handoffLimit(sourceTokens), sourceTokens / 2) - recordTokens);
  let handoffTokens = recordTokens;
  for (let place = worthClasses - 1; place >= 0 && room > 0; place--) {
    const quoted = Math.min(limit, sum(summarized, ({ quotableTokens }) => quotableTokens[place]!) * quotingCost);
    const inPlace = sum(kept, ({ resultTokens }) => resultTokens[place]!);
    const share = Math.min(1, room / Math.max(1e-9, quoted + inPlace));
    room -= (quoted + inPlace) * share;
    limit -= quoted * share;
    handoffTokens += quoted * share;
    benefit += (quoted / quotingCost + inPlace) * share * classGain[place]!;
  }
  // The handoff gets the room that no line uses, for its other sections.
  return { benefit, handoffTokens: handoffTokens + Math.min(Math.max(0, room), limit) };
}

/** False if a range contains only an earlier handoff, whose lines do not count as transcript lines. */
function hasLines({ quotableTokens }: RangeStats): boolean {
  return quotableTokens.some((tokens) => tokens > 0);
}

function sum(all: readonly RangeStats[], of: (stats: RangeStats) => number): number {
  return all.reduce((total, stats) => total + of(stats), 0);
}
