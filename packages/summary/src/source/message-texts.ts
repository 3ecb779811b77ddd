import { contentText, type Message, toolCallInput, toolCallName, toolCalls } from '@palimpsest/core';

/** Returns every text of a message that a prompt or a summary may quote: its content, names and calls. */
export function messageTexts(message: Message): string[] {
  const { name, function_call: legacy } = message;
  const texts = [contentText(message.content)];
  if (name) texts.push(name);
  for (const call of toolCalls(message)) texts.push(toolCallName(call), toolCallInput(call));
  if (legacy) texts.push(legacy.name, legacy.arguments);
  return texts;
}
