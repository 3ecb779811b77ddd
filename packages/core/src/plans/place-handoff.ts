import { contentWithoutHandoff, foreignHandoffLength } from '../handoff/any-handoff.ts';
import { writeHandoff } from '../handoff/handoff.ts';
import type { HandoffKey } from '../handoff/handoff-signature.ts';
import { isBlank, isSystem, type Message } from '../messages/message.ts';
import { tailLead } from '../transcript/legal-tail-starts.ts';
import type { Transcript } from '../transcript/transcript.ts';
import type { Draft } from './draft.ts';
import type { Carried, EditReason, Inserted } from './edit.ts';
import { toInsertedMessage } from './inserted-message.ts';
import type { LineSource } from './line-source.ts';

export interface PlaceHandoffOptions {
  readonly reason: EditReason;
  /** The host's `handoffKey`, to sign the handoff with. @default unsigned */
  readonly key?: HandoffKey | undefined;
  /**
   * Indices of system messages in the range to remove. The body has to state their instructions, unless a newer copy
   * stays. @default []
   */
  readonly summarizedSystems?: readonly number[] | undefined;
  /** Instructions of the host in the range, to quote after the handoff. @default [] */
  readonly instructions?: readonly string[] | undefined;
  /** Sources of lines of the body; line 0 is the body's first line. @default unknown */
  readonly sources?: readonly LineSource[] | undefined;
}

/**
 * Replaces the groups `[from, to)` with one handoff, in a user message before the tail. That message holds the
 * handoff alone; or also the user messages that the tail begins with; or also a copy of the current task, if that is
 * in the range, as in long autonomous runs. System messages in the range stay, after the handoff, except those in
 * `summarizedSystems`.
 *
 * Harness messages (nudges, snapshots) between handoff and task move before the task, so that the task is
 * always the suffix. If the tail needs an assistant answer as its lead-in ({@link tailLead}), that answer stays between
 * handoff and tail; the messages between the answer and the tail are replaced like the rest of the range.
 *
 * If the handoff is not smaller than the messages it would replace, the draft stays unchanged.
 * @returns tokens reclaimed; 0 or less when nothing was placed
 */
export function placeHandoff(
  draft: Draft,
  groups: readonly [from: number, to: number],
  body: string,
  { reason, key, summarizedSystems = [], instructions = [], sources = [] }: PlaceHandoffOptions,
): number {
  const { transcript } = draft;
  const until = endOfUserRun(transcript, groups[1]);
  const { harness, task } = messagesToCarry(transcript, groups, until);
  const lead = tailLead(transcript, groups[1]);
  const kept = lead === null || lead < groups[0] ? null : lead;
  const summarized = new Set(summarizedSystems);
  const following = messagesAfter(transcript, [groups[0], until], kept, summarized);
  // Harness text is quoted, so that the task can be separated from it even within a single string.
  const [quote, carry] = task.length === 0 ? [[], harness] : [harness, task];
  const handoff = writeHandoff(body, following, key);
  const inserted: Inserted = {
    handoff,
    ...(quote.length > 0 ? { quote: quote.map((at) => withoutForeignHandoff(transcript, at)) } : {}),
    ...(instructions.length > 0 ? { instructions } : {}),
    carry: carry.map((at) => withoutForeignHandoff(transcript, at)),
    ...(sources.length > 0 ? { sources: sourcesIn(handoff, body, sources) } : {}),
  };
  const message = toInsertedMessage(inserted, transcript.messages);
  let reclaimed = -transcript.counter.countMessage(message as Message);
  for (let group = groups[0]; group < until; group++) {
    if (group === kept) continue;
    const { from, to } = transcript.groups[group]!;
    for (let index = from; index < to; index++)
      if (!isSystem(transcript.messages[index]!) || summarized.has(index)) reclaimed += draft.currentTokens(index);
  }
  if (reclaimed > 0) {
    const end = kept ?? until;
    const firstAfter = transcript.groups[end]?.from ?? transcript.length;
    const before = summarizedSystems.filter((at) => at < firstAfter);
    draft.replace([groups[0], end], [inserted], reason, before);
    const after = summarizedSystems.filter((at) => at >= firstAfter);
    if (kept !== null && kept + 1 < until) draft.replace([kept + 1, until], [], reason, after);
  }
  return reclaimed;
}

/** Converts line numbers of the body to line numbers of the handoff, where a preamble precedes the body. */
function sourcesIn(handoff: string, body: string, sources: readonly LineSource[]): LineSource[] {
  // The line after the body is the end mark.
  const first = handoff.split('\n').length - 1 - body.split('\n').length;
  return sources.map(({ line, from }) => ({ line: line + first, from }));
}

/** Number of messages after a handoff: system messages of the replaced groups, the lead-in, and the tail. */
function messagesAfter(
  { groups, messages, leading, length }: Transcript,
  [from, until]: readonly [from: number, until: number],
  lead: number | null,
  summarized: ReadonlySet<number>,
): number {
  const end = groups[until]?.from ?? length;
  let following = length - end + (lead === null ? 0 : 1);
  for (let at = Math.max(leading, groups[from]?.from ?? length); at < end; at++)
    if (isSystem(messages[at]!) && !summarized.has(at)) following++;
  return following;
}

/**
 * Returns the end of the head to keep: the last group boundary, at or before `limit`, that follows an assistant message
 * without tool calls. Roles then alternate at the handoff. Without such a boundary, the head is the leading system
 * messages.
 */
export function headEnd(transcript: Transcript, limit: number): number {
  const { groups, messages } = transcript;
  let end = Math.min(limit, groups.length);
  for (; end > 0; end--) {
    const group = groups[end - 1]!;
    if (group.kind === 'message' && messages[group.from]!.role === 'assistant') return end;
  }
  while (end < groups.length && isSystem(messages[groups[end]!.from]!)) end++;
  return end;
}

function withoutForeignHandoff({ messages, reader }: Transcript, at: number): Carried {
  const skip = foreignHandoffLength(messages[at]!, reader);
  return skip === 0 ? at : { at, skip };
}

function isUserMessage(transcript: Transcript, group: number): boolean {
  const found = transcript.groups[group];
  return found?.kind === 'message' && transcript.messages[found.from]!.role === 'user';
}

function endOfUserRun(transcript: Transcript, from: number): number {
  let end = from;
  while (isUserMessage(transcript, end)) end++;
  return end;
}

/** Messages to carry in the handoff's message: harness messages at the start of the tail, then the task. */
function messagesToCarry(
  transcript: Transcript,
  groups: readonly [number, number],
  until: number,
): { readonly harness: readonly number[]; readonly task: readonly number[] } {
  const { task, messages } = transcript;
  const start = groups[1] < transcript.groups.length ? transcript.groups[groups[1]]!.from : messages.length;
  const end = until === groups[1] ? start : transcript.groups[until - 1]!.to;
  const harness: number[] = [];
  const wanted: number[] = [];
  for (let at = start; at < end; at++) if (!task || at < task.from || at >= task.to) harness.push(at);
  if (task && task.from < end) for (let at = task.from; at < task.to; at++) wanted.push(at);
  const hasContent = (at: number): boolean =>
    !isBlank(contentWithoutHandoff(messages[at] as Message, transcript.reader));
  return { harness: harness.filter(hasContent), task: wanted };
}
