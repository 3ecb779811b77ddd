import { isTextPart, type Message, type Part, toolCallInput, toolCallName, toolCalls } from '@palimpsest/core';

/** A message as text: its content, `[type]` for a part without text, and its tool calls, each as `name(arguments)`. */
export function messageText(message: Message): string {
  const { content, function_call: legacy } = message;
  const calls = toolCalls(message).map((call) => `${toolCallName(call)}(${toolCallInput(call)})`);
  if (legacy) calls.push(`${legacy.name}(${legacy.arguments ?? ''})`);
  return [contentAsText(content ?? ''), ...calls].filter(Boolean).join('\n');
}

/** Content as text, `[type]` for a part without text. */
export function contentAsText(content: string | readonly Part[]): string {
  if (typeof content === 'string') return content;
  return content.map((part) => (isTextPart(part) ? part.text : `[${part.type}]`)).join('\n');
}
