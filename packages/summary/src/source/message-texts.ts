import { contentText, hasToolCalls, type Message, toolCallInput, toolCallName, toolCalls } from '@palimpsest/core';

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

/** True when one of {@link textsOf} holds `text`. Most messages have no text but their content. */
export function saysText(message: Message, text: string): boolean {
  if (contentText(message.content).includes(text)) return true;
  const saysMore = message.name !== undefined || message.function_call !== undefined || hasToolCalls(message);
  return saysMore && textsOf(message).some((own) => own.includes(text));
}
