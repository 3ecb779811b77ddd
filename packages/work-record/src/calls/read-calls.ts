import { isRecallTool } from '@palimpsest/agents';
import { contentText, isToolResult, type Message, toolCallName, toolCalls } from '@palimpsest/core';
import { type CallArguments, callArguments } from './call-arguments.ts';
import { appliedEdits, textCall } from './text-calls.ts';

/** A call of the agent and its result. */
export interface ReadCall {
  readonly call: CallArguments;
  /** Index of the message with the call. */
  readonly index: number;
  /** The message with its result, or `null`. */
  readonly result: Message | null;
  /** Index of that message, or -1. */
  readonly answeredAt: number;
}

/**
 * Reads the calls of the agent in order, including those written as text.
 * @param isTyped returns by index whether a person typed the user message
 */
export function readCalls(messages: readonly Message[], isTyped: (index: number) => boolean): ReadCall[] {
  const found: { -readonly [Field in keyof ReadCall]: ReadCall[Field] }[] = [];
  const open = new Map<string, number>();
  messages.forEach((message, index) => {
    if (isToolResult(message)) {
      const call = found[open.get(message.role === 'tool' ? (message.tool_call_id ?? '') : '') ?? -1];
      if (call?.result === null) Object.assign(call, { result: message, answeredAt: index });
      return;
    }
    if (message.role !== 'assistant') return;
    const add = (id: string, call: CallArguments): void => {
      open.set(id, found.length);
      found.push({ call, index, result: null, answeredAt: -1 });
    };
    const calls = toolCalls(message);
    // A search in the conversation itself does not count as work.
    for (const call of calls) if (!isRecallTool(toolCallName(call))) add(call.id, callArguments(call));
    if (message.function_call) add('', callArguments({ id: '', type: 'function', function: message.function_call }));
    if (calls.length > 0 || message.function_call) return;
    for (const edit of appliedEdits(contentText(message.content), message))
      found.push({ call: edit, index, result: message, answeredAt: index });
    const next = messages[index + 1];
    const written = next?.role === 'user' && !isTyped(index + 1) ? textCall(message, next) : null;
    if (written) found.push({ call: written, index, result: next!, answeredAt: index + 1 });
  });
  return found;
}
