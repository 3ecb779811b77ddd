import { hasToolCalls, isSystem, isToolResult } from '../messages/message.ts';
import type { Dialect } from '../messages/validate.ts';
import type { Transcript } from './transcript.ts';

/** Maximum size of a lead-in, as a share of the tokens of the tail it precedes. */
const leadShare = 0.25;

/** The role of the first turn, at or after a group, that a provider counts. `null` at the end of the transcript. */
type NextRole = 'user' | 'assistant' | null;

/**
 * Computes for every group whether the tail may start there, directly after a handoff, which is a user message.
 *
 * A strict chat template does not count tool exchanges, so the next turn it counts must be the assistant's. If it is
 * the user's, a tail may still start:
 *
 * - with a lead-in: the assistant's last answer before the tool exchanges is kept in front of the tail;
 * - as is, if the transcript already has two user turns in a row there and the dialect is not `strict`. The last
 *   turn before such a start is the user's.
 *
 * The pending tool calls must stay in the tail, even if a user message follows them, such as a reminder. A tail that
 * contains nothing else before that message may therefore also start with a long lead-in, or as is in the `strict`
 * dialect.
 *
 * @param dialect how the provider counts turns. @default 'strict'
 * @returns one entry per group and one for the end. 0: no; 1: yes; 2: yes, with the lead-in from {@link tailLead}
 */
export function tailStarts(transcript: Transcript, dialect: Dialect = 'strict'): Uint8Array {
  return tailOpenings(transcript, dialect).flags;
}

/**
 * Returns the group of the assistant answer to keep in front of a tail that starts at `start`; `null` when none is
 * needed or available. A strict template then sees an assistant turn between the handoff and the next user message.
 */
export function tailLead(transcript: Transcript, start: number): number | null {
  const { flags, leads } = tailOpenings(transcript, 'strict');
  return flags[start] === 2 ? leads[start]! : null;
}

interface TailOpenings {
  /** By group, as {@link tailStarts} returns them. */
  readonly flags: Uint8Array;
  /** By group, the answer that can be the lead-in; -1 for none. */
  readonly leads: Int32Array;
}

/** Cached per transcript and dialect, because engines try many tail starts on the same transcript. */
const known = new WeakMap<Transcript, Map<Dialect, TailOpenings>>();

function tailOpenings(transcript: Transcript, dialect: Dialect): TailOpenings {
  let openings = known.get(transcript);
  if (!openings) known.set(transcript, (openings = new Map()));
  let found = openings.get(dialect);
  if (!found) openings.set(dialect, (found = findOpenings(transcript, dialect)));
  return found;
}

function findOpenings(transcript: Transcript, dialect: Dialect): TailOpenings {
  const { groups, messages } = transcript;
  const next = nextRoles(transcript, true);
  const nextOfAnthropic = dialect === 'anthropic' ? nextRoles(transcript, false) : null;
  const flags = new Uint8Array(groups.length + 1).fill(1);
  const leads = new Int32Array(groups.length + 1).fill(-1);
  const { from: pendingFrom, to: pendingTo } = pendingTail(transcript);
  // The last assistant answer, while only tool exchanges follow it.
  let lead = -1;
  let isAfterUser = false;
  for (let index = 0; index < groups.length; index++) {
    const { kind, from } = groups[index]!;
    const { role } = messages[from]!;
    const isUser = kind === 'message' && role === 'user';
    if (next[index] === 'user') {
      leads[index] = isUser ? -1 : lead;
      const isPending = index >= pendingFrom && index <= pendingTo;
      if (leads[index]! >= 0) flags[index] = isPending || isLightLead(transcript, lead, index) ? 2 : 0;
      else if (isPending) flags[index] = dialect !== 'strict' || isAfterUser ? 1 : 0;
      else if (dialect === 'strict' || nextOfAnthropic?.[index] === 'user') flags[index] = 0;
      else if (!isUser && !isAfterUser) flags[index] = 0;
    }
    // When a stray result after the answer is summarized, the answer would come directly before another assistant
    // message.
    if (isUser || isToolResult(messages[from]!) || (kind === 'calls' && holdsUser(transcript, index))) lead = -1;
    else if (kind === 'message' && role === 'assistant') lead = index;
    isAfterUser = endsWithUser(transcript, index) ?? isAfterUser;
  }
  return { flags, leads };
}

/** The last groups from which only tool exchanges precede the end of the pending tool calls. Empty if nothing is pending. */
function pendingTail(transcript: Transcript): { readonly from: number; readonly to: number } {
  const { groups, messages, pendingCalls } = transcript;
  if (pendingCalls === null) return { from: 0, to: -1 };
  const to = transcript.groupOf(pendingCalls.from);
  if (holdsUser(transcript, to)) return { from: 0, to: -1 };
  let from = to;
  const isSkipped = (group: number): boolean =>
    groups[group]!.kind === 'calls' ? !holdsUser(transcript, group) : isSystem(messages[groups[group]!.from]!);
  while (from > 0 && isSkipped(from - 1)) from--;
  return { from, to };
}

/** Where a tail may start. */
export interface TailStartLimits {
  readonly wanted: number;
  /** The start is after this group. */
  readonly after: number;
  /** Whether a tail that starts at this group is neither too large nor too small. */
  readonly accepts: (start: number) => boolean;
  /** How the provider counts turns. @default 'strict' */
  readonly dialect?: Dialect | undefined;
}

/**
 * Finds the legal tail start nearest to `wanted`. Searches in this order: backward (keeping more), then forward, both
 * while `accepts` returns true; backward for one with a lead-in; anywhere, forward first. The start is never at or
 * before group `after`, and never after the pending tool calls.
 * @returns `after` when there is no legal start, so nothing can be summarized
 */
export function alignTailStart(
  transcript: Transcript,
  { wanted, after, accepts, dialect = 'strict' }: TailStartLimits,
): number {
  const last = transcript.pendingCalls ? transcript.groupOf(transcript.pendingCalls.from) : transcript.groups.length;
  const nearest = Math.max(after, Math.min(wanted, last));
  const { flags, leads } = tailOpenings(transcript, dialect);
  const opens = (start: number, plain: boolean): boolean =>
    flags[start] === 1 || (flags[start] === 2 && !plain && leads[start]! >= after);
  const always = (): boolean => true;
  const backward = (plain: boolean, accept: (start: number) => boolean): number | null => {
    for (let start = nearest; start > after && (start === nearest || accept(start)); start--)
      if (opens(start, plain)) return start;
    return null;
  };
  const forward = (plain: boolean, accept: (start: number) => boolean): number | null => {
    for (let start = nearest + 1; start <= last && accept(start); start++) if (opens(start, plain)) return start;
    return null;
  };
  return (
    backward(true, accepts) ??
    forward(true, accepts) ??
    backward(false, accepts) ??
    forward(false, always) ??
    backward(false, always) ??
    after
  );
}

/** By group, the role of the next counted turn; for a user message, that of the turn after the run of user messages. */
function nextRoles(transcript: Transcript, strict: boolean): NextRole[] {
  const { groups, messages } = transcript;
  const turns: NextRole[] = new Array(groups.length + 1).fill(null);
  let next: NextRole = null;
  let nextBehindRun: NextRole = null;
  let inRun = false;
  for (let index = groups.length - 1; index >= 0; index--) {
    const { kind, from } = groups[index]!;
    const message = messages[from]!;
    if (kind === 'message' && message.role === 'user') {
      if (!inRun) nextBehindRun = next;
      inRun = true;
      next = 'user';
      turns[index] = nextBehindRun;
      continue;
    }
    inRun = false;
    if (kind === 'message' && message.role === 'assistant') next = 'assistant';
    else if (!strict && !isSystem(message)) next = 'assistant';
    else if (kind === 'calls' && holdsUser(transcript, index)) next = 'user';
    turns[index] = next;
  }
  return turns;
}

function holdsUser({ groups, messages }: Transcript, index: number): boolean {
  const { from, to } = groups[index]!;
  for (let at = from; at < to; at++) if (messages[at]!.role === 'user') return true;
  return false;
}

/** True if the last turn of a group is the user's, false if it is the assistant's; `null` if it has none. */
function endsWithUser({ groups, messages }: Transcript, index: number): boolean | null {
  const { from, to } = groups[index]!;
  for (let at = to - 1; at >= from; at--) {
    const message = messages[at]!;
    if (message.role === 'user') return true;
    if (message.role === 'assistant' && !hasToolCalls(message)) return false;
  }
  return null;
}

function isLightLead(transcript: Transcript, lead: number, start: number): boolean {
  const tail = transcript.tokensOfGroups(start, transcript.groups.length);
  return transcript.tokensOfGroups(lead, lead + 1) <= tail * leadShare;
}
