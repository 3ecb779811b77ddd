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
  /** Message, content and tool calls of each in turn: what is compared together lies together. */
  const known: unknown[] = [];
  const parts: number[] = [];
  // Sums over the first n messages at index n.
  const text: number[] = [0];
  const images: number[] = [0];
  const reasoning: number[] = [0];
  /** Index after the last user message among the first n. */
  const turnStart: number[] = [0];

  const unchanged = (messages: readonly Message[]): number => {
    const limit = Math.min(parts.length, messages.length);
    let at = 0;
    for (let place = 0; at < limit; at++, place += stride) {
      const message = messages[at]!;
      if (message !== known[place]) break;
      // `===` first asks a text what it is, in case it is no number, and so would load every text of a long conversation.
      const content = message?.content;
      if (!Object.is(content, known[place + 1]) || !Object.is(message?.tool_calls, known[place + 2])) break;
      if (parts[at] !== NO_PARTS && partCount(content) !== parts[at]) break;
    }
    return at;
  };

  return {
    measure(messages) {
      let at = unchanged(messages);
      // Only ever shortened here: an array made longer by its length is copied whole.
      if (parts.length > at) {
        known.length = at * stride;
        parts.length = at;
        text.length = images.length = reasoning.length = turnStart.length = at + 1;
      }
      for (; at < messages.length; at++) {
        const message = messages[at]!;
        const tokens = price(message);
        known.push(message, message?.content, message?.tool_calls);
        parts.push(partCount(message?.content));
        text.push(text[at]! + tokens.text);
        images.push(images[at]! + tokens.images);
        reasoning.push(reasoning[at]! + tokens.reasoning);
        turnStart.push(message?.role === 'user' ? at + 1 : turnStart[at]!);
      }
      return { text: text[at]!, images: images[at]!, reasoning: reasoning[at]! - reasoning[turnStart[at]!]! };
    },
  };
}

/** Entries of a message among those known. */
const stride = 3;
const NO_PARTS = -1;

/** Parts may be added to a content in place. */
const partCount = (content: unknown): number => (Array.isArray(content) ? content.length : NO_PARTS);
