import { followInputs, isRecallTool } from '@palimpsest/agents';
import { contentText, isToolResult, type Message, type ToolCall, toolCallName, toolCalls } from '@palimpsest/core';
import { type CallArguments, callArguments } from './call-arguments.ts';
import { readAppliedEdits, textCall } from './text-calls.ts';

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
  type OpenCall = { -readonly [Field in keyof ReadCall]: ReadCall[Field] };
  const found: OpenCall[] = [];
  const open = new Map<string, OpenCall>();
  const inputs = followInputs(messages);
  const follow = (call: ToolCall): ToolCall => {
    const input = inputs.get(call);
    return input === undefined
      ? call
      : { ...call, type: 'function', function: { name: toolCallName(call), arguments: input } };
  };
  const add = (index: number, id: string, call: CallArguments): void => {
    const added: OpenCall = { call, index, result: null, answeredAt: -1 };
    open.set(id, added);
    found.push(added);
  };
  messages.forEach((message, index) => {
    if (isToolResult(message)) {
      const call = open.get(message.role === 'tool' ? (message.tool_call_id ?? '') : '');
      if (call?.result !== null) return;
      call.result = message;
      call.answeredAt = index;
      return;
    }
    if (message.role !== 'assistant') return;
    const calls = toolCalls(message);
    // A search in the conversation itself does not count as work.
    for (const call of calls) if (!isRecallTool(toolCallName(call))) add(index, call.id, callArguments(follow(call)));
    if (message.function_call)
      add(index, '', callArguments({ id: '', type: 'function', function: message.function_call }));
    if (calls.length > 0 || message.function_call) return;
    for (const edit of readAppliedEdits(contentText(message.content), message))
      found.push({ call: edit, index, result: message, answeredAt: index });
    const next = messages[index + 1];
    const written = next?.role === 'user' && !isTyped(index + 1) ? textCall(message, next) : null;
    if (written) found.push({ call: written, index, result: next!, answeredAt: index + 1 });
  });
  return found;
}
