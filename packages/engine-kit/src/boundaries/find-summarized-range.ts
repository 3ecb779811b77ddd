import { type Dialect, isSystem } from '@palimpsest/core';
import { alignTailStart, type Draft, type Transcript } from '@palimpsest/core/authoring';
import { latestTailStart, tailTokensByGroup } from './tail-start.ts';

/** A half-open range of groups: `[from, to)`. */
export type GroupRange = readonly [from: number, to: number];

/** Input of {@link findSummarizedRange}: where an engine wants the summarized range to begin and end. */
export interface SummarizedRangeInput {
  readonly draft: Draft;
  /** The group at which the kept head ends. */
  readonly head: number;
  /** Index of the newest message with a handoff; -1 for none. */
  readonly handoffAt: number;
  /** Index of the first message after everything that earlier compactions summarized. @default 0 */
  readonly summarizedTo?: number | undefined;
  /** The group at which the tail should start. */
  readonly wanted: number;
  /** Maximum tokens of the tail if it has to start earlier than wanted. */
  readonly ceilingTokens: number;
  /** True: summarize about half of the transcript even if all of it fits into the tail. */
  readonly force: boolean;
  /** True: the tail may not start later than wanted. @default false */
  readonly exact?: boolean | undefined;
  /** True: rewrite an earlier handoff even if nothing new is summarized with it, to meet a target. @default false */
  readonly shrink?: boolean | undefined;
  /** How the provider counts turns; see core's `tailStarts`. @default 'strict' */
  readonly dialect?: Dialect | undefined;
  /** The last group at which the tail may start; if it would start later, nothing is summarized. @default no limit */
  readonly latest?: number | undefined;
}

/** Minimum share of its wanted tokens that a tail keeps if it has to start later, at a legal place. */
const minTailShare = 0.75;
/** Messages before an earlier handoff are summarized again only if they have more than this share of all tokens. */
const minSummarizedShare = 0.1;

/**
 * Returns the groups to summarize, from the end of the head to a legal start of the tail, or `null` if nothing can be
 * summarized. An earlier handoff is state, not a turn, so the tail starts after it. Unless `shrink` is set, a range with
 * only a handoff is not summarized.
 * @param tailTokens tokens from each group to the end. @default as the draft leaves them
 */
export function findSummarizedRange(
  input: SummarizedRangeInput,
  tailTokens: Float64Array = tailTokensByGroup(input.draft),
): GroupRange | null {
  const { head, handoffAt, ceilingTokens, force, exact = false, shrink = false, dialect, latest = Infinity } = input;
  const { summarizedTo = 0 } = input;
  const { transcript } = input.draft;
  const first = firstTailStart(transcript, head, handoffAt, summarizedTo);
  const rewrites = first > head && (shrink || (summarizedTo === 0 && isWorthSummarizingAgain(transcript, head, first)));
  const after = rewrites ? first - 1 : first;
  const wanted =
    force && input.wanted <= after ? halfway(transcript, tailTokens, first) : Math.max(input.wanted, first);
  if (wanted <= after) return null;
  const minTokens = tailTokens[Math.min(wanted, tailTokens.length - 1)]! * (exact ? 1 : minTailShare);
  const accepts = (at: number): boolean => tailTokens[at]! <= ceilingTokens && tailTokens[at]! >= minTokens;
  const nearest = alignTailStart(transcript, { wanted, after, accepts, dialect });
  // An exact tail must not start later, so it starts earlier, however many tokens that keeps.
  const start =
    exact && nearest > wanted
      ? alignTailStart(transcript, { wanted, after, accepts: (at) => at <= wanted, dialect })
      : nearest;
  return start > after && start <= latest ? [head, start] : null;
}

/** The first group at which a tail may start: after the head, an earlier handoff, and everything summarized before. */
export function firstTailStart(transcript: Transcript, head: number, handoffAt: number, summarizedTo: number): number {
  const behindHandoff = handoffAt < 0 ? 0 : transcript.groupOf(handoffAt) + 1;
  const behindSummary = summarizedTo === 0 ? 0 : transcript.groupOf(summarizedTo - 1) + 1;
  let first = Math.max(head, behindHandoff, behindSummary);
  // Instructions of the host stay behind the handoff. They are not new.
  while (first > head && isInstruction(transcript, first)) first++;
  return first;
}

function isInstruction({ groups, messages }: Transcript, group: number): boolean {
  const found = groups[group];
  return found !== undefined && isSystem(messages[found.from]!);
}

/**
 * Decides whether the messages before an earlier handoff are summarized again when the tail starts right after it. If
 * they exceed a tenth of the transcript, they are not just a head, but history that another system kept next to its
 * summary.
 */
function isWorthSummarizingAgain(transcript: Transcript, head: number, first: number): boolean {
  return transcript.tokensOfGroups(head, first - 1) > transcript.totalTokens * minSummarizedShare;
}

/** The group that splits the transcript from `first` on into halves of about equal tokens. */
function halfway(transcript: Transcript, tailTokens: Float64Array, first: number): number {
  const last = latestTailStart(transcript);
  let start = first;
  while (start < last && tailTokens[start]! > tailTokens[first]! / 2) start++;
  return Math.max(start, Math.min(first + 1, last));
}
