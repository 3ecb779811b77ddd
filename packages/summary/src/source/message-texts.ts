import { contentText, type Message, toolCallInput, toolCallName, toolCalls } from '@palimpsest/core';

/** Returns every text of a message that a prompt or a summary may quote: its content, names and calls. */
export function messageTexts(message: Message): string[] {
  const { function_call: legacy } = message;
  return [
    contentText(message.content),
    message.name ?? '',
    ...toolCalls(message).flatMap((call) => [toolCallName(call), toolCallInput(call)]),
    legacy?.name ?? '',
    legacy?.arguments ?? '',
  ].filter(Boolean);
}
