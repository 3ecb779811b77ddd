import { isToolResult, type Message, type ToolCall, toolCallInput, toolCallName, toolCalls } from '@palimpsest/core';
import type { Decoded, EditedMessages } from '../codec.ts';
import { sameContent } from '../content.ts';
import { replay } from '../replay.ts';
import { idField, isGivenId } from '../unnamed-calls.ts';
import { callsOf, inputObject, toolNames } from '../write-message.ts';
import { contentFields } from './content.ts';
import type { OllamaConversation, OllamaMessage, OllamaToolCall } from './conversation.ts';

export function encodeOllama<Native extends OllamaConversation>(
  decoded: Decoded<Native>,
  result: EditedMessages,
): Native {
  const steps = replay(decoded, result);
  if (steps === null) return decoded.native;
  const names = toolNames(decoded.messages);
  const messages = steps.flatMap((step): readonly OllamaMessage[] => {
    if (step.kind === 'removed') return [];
    if (step.kind === 'inserted') return [writeMessage(step.message, names)];
    const native = decoded.native.messages[step.unit]!;
    return [step.kind === 'kept' ? native : rewriteMessage(native, decoded.messages[step.unit]!, step.message)];
  });
  return { ...decoded.native, messages };
}

/** Writes core messages as a new conversation. */
export function writeOllama(messages: readonly Message[]): OllamaConversation {
  const names = toolNames(messages);
  return { messages: messages.map((message) => writeMessage(message, names)) };
}

/** Returns a message with an edit. Other fields stay. */
function rewriteMessage(native: OllamaMessage, before: Message, after: Message): OllamaMessage {
  const { images, thinking, tool_calls: calls, ...rest } = native;
  const isChanged = !sameContent(before.content, after.content);
  const isThoughtless = Boolean(before.reasoning_content) && !after.reasoning_content;
  const [old, next] = [toolCalls(before), toolCalls(after)];
  return {
    ...rest,
    ...(!isChanged && images !== undefined && { images }),
    ...(isChanged && contentFields(after.content)),
    ...(!isThoughtless && thinking !== undefined && { thinking }),
    ...(calls && { tool_calls: calls.map((call, at) => rewriteCall(call, old[at], next[at])) }),
  };
}

function rewriteCall(call: OllamaToolCall, old: ToolCall | undefined, next: ToolCall | undefined): OllamaToolCall {
  if (!old || !next || toolCallInput(old) === toolCallInput(next)) return call;
  return { ...call, function: { ...call.function, arguments: inputOf(next) } };
}

/** Writes a core message that has no native counterpart. @param names tool names by call id */
function writeMessage(message: Message, names: ReadonlyMap<string, string>): OllamaMessage {
  const content = contentFields(message.content);
  if (isToolResult(message)) {
    const { name, tool_call_id: id = '' } = message;
    const tool = names.get(id) ?? name;
    return {
      role: 'tool',
      ...content,
      ...(tool !== undefined && { tool_name: tool }),
      ...(isGivenId(id) && { tool_call_id: id }),
    };
  }
  const calls = callsOf(message);
  return {
    role: message.role,
    ...content,
    ...(message.reasoning_content && { thinking: message.reasoning_content }),
    ...(calls.length > 0 && { tool_calls: calls.map(writeCall) }),
  };
}

function writeCall(call: ToolCall): OllamaToolCall {
  return { ...idField(call.id), function: { name: toolCallName(call), arguments: inputOf(call) } };
}

/** Ollama accepts only objects. */
function inputOf(call: ToolCall): object {
  return inputObject(toolCallInput(call)) as object;
}
