import type { Message, TokenCounter } from '@palimpsest/core';

/** Incremental token count of a growing prompt. Equals the count of `Transcript`. */
export interface PromptSize {
  readonly tokens: number;
  add(message: Message): void;
}

/** @param overheadTokens tokens sent in addition to the messages */
export function promptSize(counter: TokenCounter, overheadTokens: number): PromptSize {
  let tokens = overheadTokens;
  // Providers drop reasoning from before the latest user message.
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
