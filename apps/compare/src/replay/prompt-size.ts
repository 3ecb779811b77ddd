import type { Message, TokenCounter } from '@palimpsest/core';

/** The size of a prompt that grows, in tokens: what `Transcript` would count, at the cost of each new message only. */
export interface PromptSize {
  readonly tokens: number;
  add(message: Message): void;
}

/** @param overheadTokens what is sent beside the messages */
export function promptSize(counter: TokenCounter, overheadTokens: number): PromptSize {
  let tokens = overheadTokens;
  // Reasoning is sent back only until the user speaks again.
  let reasoning = 0;
  return {
    get tokens() {
      return tokens + reasoning;
    },
    add(message) {
      const bare = counter.countMessage(message);
      tokens += bare;
      reasoning = message.role === 'user' ? 0 : reasoning + counter.countMessage(message, { reasoning: true }) - bare;
    },
  };
}
