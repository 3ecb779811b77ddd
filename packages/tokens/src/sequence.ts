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
  /** Message, content, tool calls and number of parts of each in turn: what is compared together lies together. */
  const known: unknown[] = [];
  /** Sums over the messages up to each. */
  const sums: Sums[] = [];

  const unchanged = (messages: readonly Message[]): number => {
    const limit = Math.min(sums.length, messages.length);
    let at = 0;
    for (let place = 0; at < limit; at++, place += stride) {
      const message = messages[at]!;
      if (message !== known[place]) break;
      // `===` first asks a text what it is, in case it is no number, and so would load every text of a long conversation.
      const content = message?.content;
      if (!Object.is(content, known[place + 1]) || !Object.is(message?.tool_calls, known[place + 2])) break;
      if (known[place + 3] !== NO_PARTS && partCount(content) !== known[place + 3]) break;
    }
    return at;
  };

  return {
    measure(messages) {
      let at = unchanged(messages);
      // Only ever shortened here: an array made longer by its length is copied whole.
      if (sums.length > at) {
        known.length = at * stride;
        sums.length = at;
      }
      let sum = sums[at - 1] ?? nothing;
      for (; at < messages.length; at++) {
        const message = messages[at]!;
        const { text, images, reasoning } = price(message);
        const thought = sum.reasoning + reasoning;
        sum = {
          text: sum.text + text,
          images: sum.images + images,
          reasoning: thought,
          settled: message?.role === 'user' ? thought : sum.settled,
        };
        known.push(message, message?.content, message?.tool_calls, partCount(message?.content));
        sums.push(sum);
      }
      return { text: sum.text, images: sum.images, reasoning: sum.reasoning - sum.settled };
    },
  };
}

interface Sums extends MessageTokens {
  /** The reasoning up to the last user message, which counts no longer. */
  readonly settled: number;
}

const nothing: Sums = { text: 0, images: 0, reasoning: 0, settled: 0 };
/** Entries of a message among those known. */
const stride = 4;
const NO_PARTS = -1;

/** Parts may be added to a content in place. */
const partCount = (content: unknown): number => (Array.isArray(content) ? content.length : NO_PARTS);
