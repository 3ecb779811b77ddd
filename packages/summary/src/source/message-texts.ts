import { contentText, type Message, toolCallInput, toolCallName, toolCalls } from '@palimpsest/core';

/** Every text of a message that a summary may quote from: what it says, who says it, its calls. */
export function textsOf(message: Message): string[] {
  const { function_call: legacy } = message;
  return [
    contentText(message.content),
    message.name ?? '',
    ...toolCalls(message).flatMap((call) => [toolCallName(call), toolCallInput(call)]),
    legacy?.name ?? '',
    legacy?.arguments ?? '',
  ].filter(Boolean);
}
