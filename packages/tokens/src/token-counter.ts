import type { Message, TokenCounter } from '@palimpsest/core';
import { type BinaryCost, flatBinaryCost } from './binary-content.ts';
import type { Encoding } from './encoding.ts';
import { estimateTokens } from './estimate-tokens.ts';
import { type MessageTokens, type Prices, priceMessage, priceValue } from './message-cost.ts';

export interface TokenCounterOptions {
  readonly encoding?: Encoding | undefined;
  readonly countText?: ((text: string) => number) | undefined;
  readonly binaryCost?: BinaryCost | undefined;
}

export interface CountableRequest {
  readonly messages: readonly Message[];
  readonly tools?: readonly unknown[] | null | undefined;
  readonly system?: unknown;
}

export interface MessageTokenCounter extends TokenCounter {
  countMessages(messages: readonly Message[]): number;
  countRequest(request: CountableRequest): number;
}

interface Remembered extends MessageTokens {
  readonly content: unknown;
  readonly calls: unknown;
}

export function createTokenCounter(options: TokenCounterOptions = {}): MessageTokenCounter {
  const { encoding = 'o200k_base', binaryCost = flatBinaryCost } = options;
  const countText = options.countText ?? ((text: string) => estimateTokens(text, { encoding }));
  const prices: Prices = { text: countText, binary: binaryCost };
  const memory = new WeakMap<Message, Remembered>();
  const priced = (message: Message): MessageTokens => {
    if (message === null || typeof message !== 'object') return priceMessage(message, prices);
    const known = memory.get(message);
    if (known && known.content === message.content && known.calls === message.tool_calls) return known;
    const tokens = { ...priceMessage(message, prices), content: message.content, calls: message.tool_calls };
    memory.set(message, tokens);
    return tokens;
  };
  const countMessages = (messages: readonly Message[]): number => {
    let total = 0;
    let lastUser = -1;
    messages.forEach((message, index) => {
      if (message?.role === 'user') lastUser = index;
    });
    messages.forEach((message, index) => {
      const tokens = priced(message);
      total += tokens.text + tokens.images + (index > lastUser ? tokens.reasoning : 0);
    });
    return total;
  };
  return {
    countText: (text) => {
      const tokens = priceValue(text, prices);
      return tokens.text + tokens.images;
    },
    countMessage: (message, { reasoning = false } = {}) => {
      const tokens = priced(message);
      return tokens.text + tokens.images + (reasoning ? tokens.reasoning : 0);
    },
    countMessages,
    countRequest: ({ messages, tools, system }) => {
      const outside = priceValue([tools, system], prices);
      return countMessages(messages) + outside.text + outside.images;
    },
  };
}
