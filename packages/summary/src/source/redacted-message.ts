import type { EngineHost, Message, ToolCall } from '@palimpsest/core';
import { plainText, withoutData } from './plain-text.ts';

interface Memo {
  readonly content: unknown;
  readonly calls: unknown;
  readonly redacted: Message;
}

// Keyed by host, because what is masked is the host's word; holds nothing a host or a message could not give again.
const memos = new WeakMap<EngineHost, WeakMap<Message, Memo>>();

/**
 * The message as a summarizer may see it: text only, media named instead of carried, reasoning left out, every text
 * masked by the host. Memoized per message object and revalidated by its content, so a message is masked once however
 * often it is summarized, chunked or searched.
 */
export function redactedMessage(message: Message, host: EngineHost): Message {
  let known = memos.get(host);
  if (!known) memos.set(host, (known = new WeakMap()));
  const memo = known.get(message);
  if (memo && memo.content === message.content && memo.calls === message.tool_calls) return memo.redacted;
  const redacted = redactedCopy(message, host);
  known.set(message, { content: message.content, calls: message.tool_calls, redacted });
  return redacted;
}

function redactedCopy(message: Message, host: EngineHost): Message {
  const clean = (text: unknown): string =>
    typeof text === 'string' && text !== '' ? host.redact(withoutData(text)) : '';
  const content = plainText(message.content);
  const copy: { -readonly [K in keyof Message]: Message[K] } = {
    role: message.role,
    content: content === '' ? '' : host.redact(content),
  };
  if (message.name) copy.name = clean(message.name);
  if (message.tool_call_id) copy.tool_call_id = message.tool_call_id;
  if (Array.isArray(message.tool_calls))
    copy.tool_calls = message.tool_calls.map(
      (call: ToolCall): ToolCall =>
        call.type === 'custom'
          ? {
              id: call.id,
              type: 'custom',
              custom: { name: clean(call.custom?.name), input: clean(call.custom?.input) },
            }
          : {
              id: call.id,
              type: 'function',
              function: { name: clean(call.function?.name), arguments: clean(call.function?.arguments) },
            },
    );
  if (message.function_call)
    copy.function_call = {
      name: clean(message.function_call.name),
      arguments: clean(message.function_call.arguments),
    };
  return copy;
}
