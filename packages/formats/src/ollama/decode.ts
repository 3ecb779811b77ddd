import { type Message, toolCalls } from '@palimpsest/core';
import type { Decoded } from '../codec.ts';
import { Memo } from '../memo.ts';
import { assistantMessage, functionCall } from '../read-message.ts';
import { fieldsOf } from '../record.ts';
import { callId, OpenCalls, openCallsOf } from '../unnamed-calls.ts';
import { checkConversation, checkMessage } from './check.ts';
import { contentIn } from './content.ts';
import type { OllamaConversation, OllamaMessage } from './conversation.ts';

const memo = new Memo<Message>();

/** Reads a conversation: one core message for each native one. */
export function decodeOllama<Native extends OllamaConversation>(native: Native): Decoded<Native> {
  checkConversation(native);
  let open = new OpenCalls([]);
  const messages = native.messages.map((message, at) => {
    checkMessage(message, at);
    if (message.role === 'tool') {
      const { tool_call_id: given, tool_name: name } = message;
      const id = open.answer(callId({ id: given }, at, 0), name ?? '');
      return memo.recall([message], () => readResult(message, id), [id]);
    }
    // Ids that are made contain the place of the message.
    const isPlaced = (message.tool_calls ?? []).some(({ id }) => !id);
    const read = memo.recall([message], () => readMessage(message, at), isPlaced ? [at] : []);
    if (toolCalls(read).length > 0) open = new OpenCalls(openCallsOf(read));
    return read;
  });
  return { native, messages, origins: messages.map((_, index) => ({ pieces: [{ index }] })) };
}

function readResult(message: OllamaMessage, id: string): Message {
  return { role: 'tool', tool_call_id: id, content: contentIn(message) };
}

function readMessage(message: OllamaMessage, at: number): Message {
  const content = contentIn(message);
  if (message.role !== 'assistant') return { role: message.role as 'user', content };
  const calls = (message.tool_calls ?? []).map((call, number) => {
    const { name, arguments: input } = call.function;
    return functionCall(
      { id: callId(fieldsOf(call), at, number), name, input },
      { format: 'ollama', index: at },
      'call whose arguments',
    );
  });
  const isSilent = content === '' && calls.length > 0;
  return assistantMessage(isSilent ? null : content, calls, message.thinking ? [message.thinking] : []);
}
