import type { EngineHost, Message, ToolCall } from '@palimpsest/core';
import { plainText, withoutData } from './plain-text.ts';

interface Memo {
  readonly content: unknown;
  readonly calls: unknown;
  readonly redacted: Message;
}

// A pure cache, per host, because each host masks differently.
const memos = new WeakMap<EngineHost, WeakMap<Message, Memo>>();

/**
 * Returns a copy of a message for a summarizer: text only, with placeholders for media, without reasoning, and with all
 * text masked by the host's redactor. Memoized per message object, and checked against its content and calls.
 */
export function redactMessage(message: Message, host: EngineHost): Message {
  let known = memos.get(host);
  if (!known) memos.set(host, (known = new WeakMap()));
  const memo = known.get(message);
  if (memo && memo.content === message.content && memo.calls === message.tool_calls) return memo.redacted;
  const redacted = copyRedacted(message, host);
  known.set(message, { content: message.content, calls: message.tool_calls, redacted });
  return redacted;
}

function copyRedacted(message: Message, host: EngineHost): Message {
  const content = plainText(message.content);
  const copy: { -readonly [K in keyof Message]: Message[K] } = {
    role: message.role,
    content: content === '' ? '' : host.redact(content),
  };
  if (message.name) copy.name = redactText(message.name, host);
  if (message.tool_call_id) copy.tool_call_id = message.tool_call_id;
  if (Array.isArray(message.tool_calls)) copy.tool_calls = redactCalls(message.tool_calls, host);
  const { function_call: legacy } = message;
  if (legacy)
    copy.function_call = { name: redactText(legacy.name, host), arguments: redactText(legacy.arguments, host) };
  return copy;
}

/** Calls without a secret stay the same objects, so that data cached per call is shared by all hosts. */
function redactCalls(calls: readonly ToolCall[], host: EngineHost): readonly ToolCall[] {
  const redacted = calls.map((call) => redactCall(call, host));
  return redacted.every((call, at) => call === calls[at]) ? calls : redacted;
}

function redactCall(call: ToolCall, host: EngineHost): ToolCall {
  if (call.type === 'custom') {
    const { name, input } = call.custom ?? {};
    return {
      id: call.id,
      type: 'custom',
      custom: { name: redactText(name, host), input: redactText(input, host) },
    };
  }
  const name = redactText(call.function?.name, host);
  const input = redactText(call.function?.arguments, host);
  const isSame = call.type === 'function' && call.function?.name === name && call.function.arguments === input;
  if (isSame && Object.keys(call).length <= 3 && Object.keys(call.function).length === 2) return call;
  return { id: call.id, type: 'function', function: { name, arguments: input } };
}

function redactText(text: unknown, host: EngineHost): string {
  return typeof text === 'string' && text !== '' ? host.redact(withoutData(text)) : '';
}
