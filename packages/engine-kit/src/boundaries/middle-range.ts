import { type CompressOptions, type EngineHost, isSystem } from '@palimpsest/core';
import { type Draft, headEnd, type Transcript, tailLead } from '@palimpsest/core/authoring';
import { softCeiling } from '../target/target-plan.ts';
import { findSummarizedRange, firstTailStart, type GroupRange } from './find-summarized-range.ts';
import { startOfKeptTurns } from './newest-turns.ts';
import {
  finalReplyStart,
  lastReplyStart,
  latestTailStart,
  tailStartInBudget,
  tailTokensByGroup,
} from './tail-start.ts';

/** Where a tail may start when a target has to be met. */
export interface TailStartRange {
  /** The group at which the kept head ends. */
  readonly head: number;
  /** The first and last group at which the tail may start, if something is summarized. */
  readonly first: number;
  readonly last: number;
}

/** Input for finding the middle of a transcript. */
export interface MiddleInput extends HeadLimits {
  readonly draft: Draft;
  readonly asked: CompressOptions;
  readonly host: Pick<EngineHost, 'dialect' | 'isFromPerson'>;
  /** Number of messages to keep at the end if they fit; limited to 3 to 8. */
  readonly protectLast: number;
  readonly tailTokens: number;
  /** Maximum tokens of the tail if that keeps one group whole. */
  readonly maxTailTokens: number;
  /**
   * The group at which the tail starts to meet a target; the end of the head to summarize nothing.
   * @default by `tailTokens`
   */
  readonly tailStart?: number | undefined;
  /** Index of the newest message with a handoff; -1 for none. */
  readonly handoffAt: number;
  /** Index of the first message after everything that earlier compactions summarized. @default 0 */
  readonly summarizedTo?: number | undefined;
}

/** Factor by which a tail may exceed its wanted tokens with a target. Tool results in the tail are then cut to fit. */
const targetCeiling = 1.1;

/** Returns the groups between head and tail; `null` when there is nothing to summarize. */
export function middleRange(input: MiddleInput): GroupRange | null {
  const { draft, asked, host, handoffAt, summarizedTo, tailStart } = input;
  const { transcript } = draft;
  const keptHead = findHeadEnd(transcript, input);
  const sums = tailTokensByGroup(draft);
  // The tail reaches the head: nothing is summarized, unless turns that a model has summarized must stay replaced.
  if (tailStart !== undefined && tailStart <= keptHead && !summarizedTo) return null;
  const budgeted = tailStart ?? tailStartWithinBudget(input, sums);
  const kept = startOfKeptTurns(transcript, asked, host.isFromPerson);
  const exact = kept < budgeted;
  const wanted = Math.min(budgeted, kept);
  // The tail may need the reply at the end of the head as its lead-in. Then only the system prompt is kept as head.
  const lead = tailLead(transcript, wanted);
  const head = lead !== null && lead < keptHead ? headEnd(transcript, 0) : keptHead;
  const hasTarget = tailStart !== undefined;
  const ceilingTokens = hasTarget ? sums[budgeted]! * targetCeiling : input.maxTailTokens;
  return findSummarizedRange(
    {
      draft,
      head,
      handoffAt,
      summarizedTo,
      dialect: host.dialect,
      wanted,
      ceilingTokens: exact ? sums[kept]! * softCeiling : ceilingTokens,
      exact,
      // With a target, nothing is summarized if everything fits.
      force: !hasTarget && (asked.force ?? false),
      // Messages that a model has summarized stay summarized.
      shrink: hasTarget && (budgeted > keptHead || Boolean(summarizedTo)),
      // Turns that the caller asked to keep stay, even if nothing is left to summarize.
      latest: kept,
    },
    sums,
  );
}

/** Returns where the tail may start to meet a target, before it is moved to a legal start. */
export function tailStartRange(input: MiddleInput): TailStartRange {
  const { draft, handoffAt, summarizedTo = 0, tailTokens } = input;
  const { transcript } = draft;
  const head = findHeadEnd(transcript, input);
  const reply = finalReplyStart(transcript, tailTokensByGroup(draft), tailTokens);
  return {
    head,
    first: firstTailStart(transcript, head, handoffAt, summarizedTo),
    last: Math.min(latestTailStart(transcript), reply),
  };
}

/** Returns where the tail starts within its token budget, before it is moved to a legal start. */
function tailStartWithinBudget(input: MiddleInput, sums: Float64Array): number {
  const { draft, asked, protectLast, tailTokens, maxTailTokens: ceilingTokens } = input;
  return Math.min(
    tailStartInBudget(draft.transcript, sums, { asked, protectLast, tailTokens, ceilingTokens }),
    lastReplyStart(draft.transcript, sums, ceilingTokens),
  );
}

/** Limits for the head, the start of a transcript that stays unchanged. */
export interface HeadLimits {
  /**
   * Number of messages to keep after the system prompt. They end after an assistant message that calls no tools, or none
   * is kept. To keep a message wherever it is, such as the first task, pass it as a pin to `summarizeRange`.
   */
  readonly protectFirst: number;
  /** Maximum tokens of these messages; a larger head is reduced to the system prompt. */
  readonly headTokens: number;
}

/** The group at which the kept head ends. */
export function findHeadEnd(transcript: Transcript, { protectFirst, headTokens }: HeadLimits): number {
  const end = headEnd(transcript, headLimit(transcript, protectFirst));
  const systemOnly = headEnd(transcript, 0);
  return transcript.tokensOfGroups(systemOnly, end) <= headTokens ? end : systemOnly;
}

/**
 * The group before which the head must end: `protectFirst` messages after the system prompt, without the task.
 */
function headLimit(transcript: Transcript, protectFirst: number): number {
  const { groups, messages, task } = transcript;
  const last = task ? transcript.groupOf(task.from) : groups.length;
  let counted = 0;
  let limit = 0;
  while (limit < last) {
    const group = groups[limit]!;
    if (!isSystem(messages[group.from]!)) {
      if (counted >= protectFirst) break;
      counted += group.to - group.from;
    }
    limit++;
  }
  return limit;
}
