import type { Dialect } from './dialect.ts';
import { groupMessages } from './group.ts';
import { isBlank, isToolResult, type Message, toolCalls } from './message.ts';

/** One thing {@link repairToolPairs} did, by index in the input. */
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

export interface Repaired<M extends Message> {
  /** The input array itself when nothing was broken. */
  readonly messages: readonly (M | StubResult)[];
  readonly repairs: readonly Repair[];
}

/**
 * Closes the tool pairs of a transcript that was broken before anybody compressed it: an orphan result is removed, a
 * result that stands too late moves up to its call, a call without a result gets a stub. In the `strict` dialect, whose
 * templates count calls against results, such a call is removed instead and its message's text kept. Calls still
 * waiting at the very end stay: their results are on the way.
 */
export function repairToolPairs<M extends Message>(
  messages: readonly M[],
  options: { readonly dialect?: Dialect | undefined } = {},
): Repaired<M> {
  const output: (M | StubResult)[] = [];
  const repairs: Repair[] = [];
  const groups = groupMessages(messages);
  groups.forEach((group, position) => {
    if (group.kind === 'exchange') {
      const pending = position === groups.length - 1 && messages.slice(group.from + 1).every(isToolResult);
      repairExchange(messages, group.from, group.to, pending, options.dialect, output, repairs);
    } else if (isToolResult(messages[group.from]!)) {
      repairs.push({ index: group.from, action: 'result-removed' });
    } else {
      output.push(messages[group.from]!);
    }
  });
  return repairs.length === 0 ? { messages, repairs } : { messages: output, repairs };
}

function repairExchange<M extends Message>(
  messages: readonly M[],
  from: number,
  to: number,
  pending: boolean,
  dialect: Dialect | undefined,
  output: (M | StubResult)[],
  repairs: Repair[],
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
  if (head) output.push(head);
  for (const list of [results, stubs, others]) for (const message of list) output.push(message);
}

/** The message without these calls; `null` when nothing is left of it. */
function withoutCalls<M extends Message>(message: M, ids: ReadonlySet<string>): M | null {
  const calls = toolCalls(message).filter((call) => !ids.has(call.id));
  if (calls.length > 0) return { ...message, tool_calls: calls };
  if (isBlank(message.content) && !message.function_call) return null;
  const { tool_calls: _, ...rest } = message;
  return rest as M;
}
