import { contentText, type Message, toolCallInput, toolCalls } from '@palimpsest/core';

/**
 * Everything a model reads of a message, as separate texts: content, reasoning, and each text inside tool-call arguments.
 * @param reasoning false where providers leave the reasoning out of the prompt
 */
export function textsOf(message: Message, reasoning = true): string[] {
  const texts = [decoded(contentText(message.content))];
  if (reasoning && message.reasoning_content) texts.push(message.reasoning_content);
  for (const call of toolCalls(message))
    texts.push(call.type === 'custom' ? toolCallInput(call) : decoded(toolCallInput(call)));
  return texts.filter((text) => text !== '');
}

/** Where reasoning begins to be part of a prompt: behind its last user message, as providers and token counters have it. */
export function reasoningFrom(messages: readonly Message[]): number {
  return messages.findLastIndex((message) => message.role === 'user') + 1;
}

/** The texts inside JSON, one a line, so that an escaped quotation equals a plain one; any other text as it is. */
function decoded(text: string): string {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    const leaves: string[] = [];
    JSON.parse(text, (_key, leaf: unknown) => {
      if (typeof leaf === 'string' || typeof leaf === 'number') leaves.push(String(leaf));
      return leaf;
    });
    return leaves.join('\n');
  } catch {
    return text;
  }
}
