import type { Message } from '@palimpsest/core';
import type { MessageTokens } from './message-cost.ts';

/** Sums the tokens of a conversation incrementally as it grows. */
export interface Sequence {
  /** Sums the tokens of `messages`. `reasoning` counts only after the last user message. */
  measure(messages: readonly Message[]): MessageTokens;
}

/**
 * Creates a sequence that caches running sums over the last conversation. Unchanged messages at the beginning are only
 * compared by reference; pricing starts at the first difference.
 */
export function createSequence(price: (message: Message) => MessageTokens): Sequence {
  /** Message, content, tool calls and number of parts of each message, in one array for fast comparison. */
  const known: unknown[] = [];
  /** Running sums up to and including each message. */
  const sums: Sums[] = [];

  const countUnchanged = (messages: readonly Message[]): number => {
    const limit = Math.min(sums.length, messages.length);
    let at = 0;
    for (let place = 0; at < limit; at++, place += stride) {
      const message = messages[at]!;
      if (message !== known[place]) break;
      // `Object.is` is faster than `===` here, which would load every string of a long conversation from memory.
      const content = message?.content;
      if (!Object.is(content, known[place + 1]) || !Object.is(message?.tool_calls, known[place + 2])) break;
      if (known[place + 3] !== noParts && partCount(content) !== known[place + 3]) break;
    }
    return at;
  };

  return {
    measure(messages) {
      let at = countUnchanged(messages);
      // Only shortened here: setting `length` to a larger value would copy the array.
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
  /** Tokens of reasoning before the last user message. They no longer count. */
  readonly settled: number;
}

const nothing: Sums = { text: 0, images: 0, reasoning: 0, settled: 0 };
/** Entries per message in the array of known messages. */
const stride = 4;
const noParts = -1;

/** Number of parts of a content, to detect parts that were added in place. */
const partCount = (content: unknown): number => (Array.isArray(content) ? content.length : noParts);
