import {
  isTextPart,
  type Message,
  type Part,
  type TokenCounter,
  toolCallInput,
  toolCallName,
  toolCalls,
} from '@palimpsest/core';

/** Tokens of an image of unknown size. */
const imageTokens = 1_600;

/** Tokens of the envelope around a message, and around a tool call. */
const envelopeTokens = 4;

const countText = (text: string): number => Math.ceil(text.length / 4);

/**
 * A deterministic token counter for tests: one token per four characters (rounded up), four per message and per call,
 * 1,600 per part that is not text.
 */
export const quarterCounter: TokenCounter = {
  countText,
  countMessage(message, options) {
    let tokens = envelopeTokens + countContent(message.content) + countText(message.name ?? '');
    for (const call of toolCalls(message))
      tokens += envelopeTokens + countText(call.id + toolCallName(call) + toolCallInput(call));
    const legacy = message.role === 'assistant' ? message.function_call : null;
    if (legacy) tokens += envelopeTokens + countText(legacy.name + legacy.arguments);
    if (options?.reasoning) tokens += countText(message.reasoning_content ?? '');
    return tokens;
  },
};

function countContent(content: Message['content']): number {
  if (typeof content === 'string') return countText(content);
  if (!Array.isArray(content)) return 0;
  let tokens = 0;
  for (const part of content as readonly Part[]) tokens += isTextPart(part) ? countText(part.text) : imageTokens;
  return tokens;
}
