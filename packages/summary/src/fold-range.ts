import type { Dialect, RequestRecognizer } from '@palimpsest/core';
import { alignTailStart, type Draft, type Transcript } from '@palimpsest/core/authoring';

/** Which groups to fold into a handoff, as an engine wants it. */
export interface FoldInput {
  readonly draft: Draft;
  /** Where the kept head ends. */
  readonly head: number;
  /** The newest message that carries a handoff; -1 for none. */
  readonly handoffAt: number;
  /** The group the tail should start at. */
  readonly wanted: number;
  /** What the tail may weigh when it has to start earlier than wanted. */
  readonly ceilingTokens: number;
  /** Fold also when everything would fit into the tail. */
  readonly force: boolean;
  /** The tail may not start later than wanted. @default false */
  readonly exact?: boolean | undefined;
  /** Also rewrite an earlier handoff if there is nothing new to fold with it, to meet a target. @default false */
  readonly shrink?: boolean | undefined;
  /** How the provider counts turns; see core's `tailStarts`. @default 'strict' */
  readonly dialect?: Dialect | undefined;
}

/** Least share of its tokens that a tail keeps when a strict template makes it start later than wanted. */
const leastOfTail = 0.75;

/**
 * Returns the groups to fold, from the end of the head to a legal start of the tail; `null` if there are none between.
 * An earlier handoff is state, not a turn, so the tail starts after it. Unless `shrink` is set, a range that holds only
 * a handoff is not worth folding.
 */
export function foldRange(
  input: FoldInput,
  sums: Float64Array = tailSums(input.draft),
): readonly [from: number, to: number] | null {
  const { head, handoffAt, ceilingTokens, force, exact = false, shrink = false, dialect } = input;
  const { transcript } = input.draft;
  const first = handoffAt < 0 ? head : Math.max(head, transcript.groupOf(handoffAt) + 1);
  const rewrites = first > head && (shrink || isWorthFolding(transcript, head, first));
  const after = rewrites ? first - 1 : first;
  const wanted = force && input.wanted <= after ? halfway(transcript, sums, first) : Math.max(input.wanted, first);
  if (wanted <= after) return null;
  const least = sums[Math.min(wanted, sums.length - 1)]! * (exact ? 1 : leastOfTail);
  const accepts = (at: number): boolean => sums[at]! <= ceilingTokens && sums[at]! >= least;
  const nearest = alignTailStart(transcript, wanted, after, accepts, dialect);
  // An exact tail must not start later, so it starts earlier, no matter how many tokens that keeps.
  const start =
    exact && nearest > wanted ? alignTailStart(transcript, wanted, after, (at) => at <= wanted, dialect) : nearest;
  return start > after ? [head, start] : null;
}

/**
 * For every group, the tokens from it to the end.
 * @param weigh what a message weighs, by index. @default what the draft has made of it
 */
export function tailSums(
  draft: Draft,
  weigh: (index: number) => number = (index) => draft.currentTokens(index),
): Float64Array {
  const { groups } = draft.transcript;
  const sums = new Float64Array(groups.length + 1);
  for (let group = groups.length - 1; group >= 0; group--) {
    let own = 0;
    for (let at = groups[group]!.from; at < groups[group]!.to; at++) own += weigh(at);
    sums[group] = sums[group + 1]! + own;
  }
  return sums;
}

/** The latest group a tail can start at: the exchange under way always stays. */
export function latestTailStart(transcript: Transcript): number {
  return transcript.inFlight ? transcript.groupOf(transcript.inFlight.from) : transcript.groups.length;
}

/** The group where the newest `count` turns begin, each a run of requests and all that answered it; 0 when there are fewer. */
export function turnStart(transcript: Transcript, isRequest: RequestRecognizer, count: number): number {
  const { messages } = transcript;
  const real = (at: number): boolean => messages[at]!.role === 'user' && isRequest(messages[at]!, at, messages);
  let found = 0;
  for (let at = messages.length - 1; at >= 0; at--)
    if (real(at) && !(at > 0 && real(at - 1)) && ++found >= count) return transcript.groupOf(at);
  return 0;
}

/**
 * When the tail reaches back to an earlier handoff, what lies before that is folded only if it is a tenth of the whole:
 * history that another system kept beside its summary, and not merely a head that decays.
 */
function isWorthFolding(transcript: Transcript, head: number, first: number): boolean {
  return first > head && transcript.tokensOfGroups(head, first - 1) > transcript.totalTokens * 0.1;
}

/** The group that splits what follows `first` into two halves of about equal size. */
function halfway(transcript: Transcript, sums: Float64Array, first: number): number {
  const last = latestTailStart(transcript);
  let start = first;
  while (start < last && sums[start]! > sums[first]! / 2) start++;
  return Math.max(start, Math.min(first + 1, last));
}
