import { contentText, type Message, toolCallInput, toolCalls } from '@palimpsest/core';

/**
 * Returns everything a model reads of a message as separate texts: content, reasoning, and the input of each tool call.
 * @param reasoning false where providers omit the reasoning from the prompt
 */
export function textsOf(message: Message, reasoning = true): string[] {
  const texts = [decodeJson(contentText(message.content))];
  if (reasoning && message.reasoning_content) texts.push(message.reasoning_content);
  for (const call of toolCalls(message))
    texts.push(call.type === 'custom' ? toolCallInput(call) : decodeJson(toolCallInput(call)));
  return texts.filter((text) => text !== '');
}

/** Returns the index from which reasoning is part of the prompt: after the last user message, as for providers and token counters. */
export function reasoningFrom(messages: readonly Message[]): number {
  return messages.findLastIndex((message) => message.role === 'user') + 1;
}

/** Returns the strings and numbers inside JSON, one per line, so that escaped text equals plain text. Returns other text unchanged. */
function decodeJson(text: string): string {
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
