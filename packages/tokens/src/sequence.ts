import type { Message } from '@palimpsest/core';
import type { MessageTokens } from './message-cost.ts';

/** A conversation being counted again and again as it grows. */
export interface Sequence {
  /** Sums over `messages`; `reasoning` only over those after the last user message. */
  measure(messages: readonly Message[]): MessageTokens;
}

/**
 * Keeps running sums over the conversation last measured. What is still the same at its beginning, message by message,
 * is only compared by reference, which is quick enough for every turn; pricing starts where it differs.
 */
export function createSequence(price: (message: Message) => MessageTokens): Sequence {
  const known: Message[] = [];
  const contents: unknown[] = [];
  const parts: number[] = [];
  const calls: unknown[] = [];
  // Sums over the first n messages at index n.
  const text: number[] = [0];
  const images: number[] = [0];
  const reasoning: number[] = [0];
  /** Index after the last user message among the first n. */
  const turnStart: number[] = [0];

  const unchanged = (messages: readonly Message[]): number => {
    const limit = Math.min(known.length, messages.length);
    let at = 0;
    while (at < limit) {
      const message = messages[at]!;
      if (message !== known[at]) break;
      const content = message?.content;
      if (content !== contents[at] || message?.tool_calls !== calls[at]) break;
      // Asking a text what it is would load it, once for every message of a long conversation.
      if (parts[at] !== NO_PARTS && partCount(content) !== parts[at]) break;
      at++;
    }
    return at;
  };

  return {
    measure(messages) {
      let at = unchanged(messages);
      // Only ever shortened here: an array made longer by its length is copied whole.
      if (known.length > at) {
        known.length = contents.length = parts.length = calls.length = at;
        text.length = images.length = reasoning.length = turnStart.length = at + 1;
      }
      for (; at < messages.length; at++) {
        const message = messages[at]!;
        const tokens = price(message);
        known.push(message);
        contents.push(message?.content);
        parts.push(partCount(message?.content));
        calls.push(message?.tool_calls);
        text.push(text[at]! + tokens.text);
        images.push(images[at]! + tokens.images);
        reasoning.push(reasoning[at]! + tokens.reasoning);
        turnStart.push(message?.role === 'user' ? at + 1 : turnStart[at]!);
      }
      return { text: text[at]!, images: images[at]!, reasoning: reasoning[at]! - reasoning[turnStart[at]!]! };
    },
  };
}

const NO_PARTS = -1;

/** Parts may be added to a content in place. */
const partCount = (content: unknown): number => (Array.isArray(content) ? content.length : NO_PARTS);
