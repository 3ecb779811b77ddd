import { type Group, groupMessages } from './group.ts';
import { hasToolCalls, isBlank, isSystem, isToolResult, type Message, toolCalls } from './message.ts';
import { quoteText } from './quoted-text.ts';
import type { Dialect } from './validate.ts';

/** One change that {@link repairToolPairs} made. `index` refers to the input. */
export interface Repair {
  readonly index: number;
  readonly action: 'result-removed' | 'result-moved' | 'call-answered' | 'call-removed' | 'message-removed';
}

/** A result written for a call that never got one. */
export interface StubResult {
  role: 'tool';
  tool_call_id: string;
  content: string;
}

export const missingResult = '[No result was recorded for this tool call.]';

/** A message inserted between two turns of the same role that a removal made adjacent. */
export type RepairNotice = { role: 'assistant'; content: string } | { role: 'user'; content: string };

/** The text of a {@link RepairNotice}. */
const removedCall = '[A tool call or result that was out of place was removed here.]';

export interface Repaired<M extends Message> {
  /** The input array itself when nothing was broken. */
  readonly messages: readonly (M | StubResult | RepairNotice)[];
  readonly repairs: readonly Repair[];
}

/**
 * Repairs tool pairs in a transcript that was already broken before compaction. Orphan results are removed, late
 * results move up to their call, and calls without a result get a stub. In the `strict` dialect, such a call is removed
 * instead, because its templates compare the number of calls and results; the text of the message stays. If a removal
 * leaves two turns of the same role in a row and the dialect requires alternation, a notice is inserted between them.
 * Pending calls at the very end stay, because their results are still to come.
 */
export function repairToolPairs<M extends Message>(
  messages: readonly M[],
  options: { readonly dialect?: Dialect | undefined } = {},
): Repaired<M> {
  const output: (M | StubResult)[] = [];
  /** Output indices before which something was removed. */
  const seams = new Set<number>();
  const repairs: Repair[] = [];
  const groups = groupMessages(messages);
  groups.forEach((group, position) => {
    if (group.kind === 'calls') {
      const pending = position === groups.length - 1 && messages.slice(group.from + 1).every(isToolResult);
      repairCalls(messages, group, { pending, dialect: options.dialect }, { output, repairs, seams });
    } else if (isToolResult(messages[group.from]!)) {
      repairs.push({ index: group.from, action: 'result-removed' });
      seams.add(output.length);
    } else {
      output.push(messages[group.from]!);
    }
  });
  if (repairs.length === 0) return { messages, repairs };
  return { messages: alternating(output, seams, options.dialect ?? 'openai'), repairs };
}

interface Repairing<M extends Message> {
  readonly output: (M | StubResult)[];
  readonly repairs: Repair[];
  readonly seams: Set<number>;
}

function repairCalls<M extends Message>(
  messages: readonly M[],
  { from, to }: Group,
  { pending, dialect }: { readonly pending: boolean; readonly dialect: Dialect | undefined },
  { output, repairs, seams }: Repairing<M>,
): void {
  const caller = messages[from]!;
  const waiting = new Map(toolCalls(caller).map((call) => [call.id, call]));
  const results: M[] = [];
  const others: M[] = [];
  for (let index = from + 1; index < to; index++) {
    const message = messages[index]!;
    if (!isToolResult(message)) {
      others.push(message);
    } else if (message.role === 'function' ? caller.function_call : waiting.delete(message.tool_call_id ?? '')) {
      if (others.length > 0) repairs.push({ index, action: 'result-moved' });
      results.push(message);
    } else {
      repairs.push({ index, action: 'result-removed' });
    }
  }
  const stubs: StubResult[] = [];
  let head: M | null = caller;
  if (waiting.size > 0 && !pending) {
    if (dialect === 'strict') head = withoutCalls(caller, new Set(waiting.keys()));
    else for (const id of waiting.keys()) stubs.push({ role: 'tool', tool_call_id: id, content: missingResult });
    repairs.push({
      index: from,
      action: head === null ? 'message-removed' : head === caller ? 'call-answered' : 'call-removed',
    });
  }
  // Without its calls, the message is a separate turn or is removed.
  if (head !== caller && !(head && hasToolCalls(head))) seams.add(output.length).add(output.length + 1);
  if (head) output.push(head);
  for (const list of [results, stubs, others]) for (const message of list) output.push(message);
  if (results.length > 0 && others.length > 0) seams.add(output.length);
}

/** Inserts a notice between two turns of the same role that a removal made adjacent. */
function alternating<M extends Message>(
  messages: readonly (M | StubResult)[],
  seams: ReadonlySet<number>,
  dialect: Dialect,
): (M | StubResult | RepairNotice)[] {
  if (dialect === 'openai') return [...messages];
  const output: (M | StubResult | RepairNotice)[] = [];
  let previous: 'user' | 'assistant' | null = null;
  let seam = false;
  messages.forEach((message, at) => {
    seam ||= seams.has(at);
    const role = roleInTurns(message, dialect);
    // Results and the user message after them are one turn.
    if (dialect === 'anthropic' && isToolResult(message)) previous = null;
    if (role !== null) {
      if (seam && role === previous)
        output.push(
          role === 'user'
            ? { role: 'assistant', content: removedCall }
            : { role: 'user', content: quoteText(removedCall, 'harness-message') },
        );
      previous = role;
      seam = false;
    }
    output.push(message);
  });
  return output;
}

/** The role of a message's turn, as {@link validateTranscript} counts turns; `null` when it is not counted. */
function roleInTurns(message: Message, dialect: Dialect): 'user' | 'assistant' | null {
  if (isSystem(message) || isToolResult(message)) return null;
  if (dialect === 'strict' && hasToolCalls(message)) return null;
  return message.role === 'assistant' ? 'assistant' : 'user';
}

/** Returns the message without these calls; `null` when nothing is left. */
function withoutCalls<M extends Message>(message: M, ids: ReadonlySet<string>): M | null {
  const calls = toolCalls(message).filter((call) => !ids.has(call.id));
  if (calls.length > 0) return { ...message, tool_calls: calls };
  if (isBlank(message.content) && !message.function_call) return null;
  const { tool_calls: _, ...rest } = message;
  return rest as M;
}
