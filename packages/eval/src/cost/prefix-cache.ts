import type { Message } from '@palimpsest/core';
import { minCachedPromptTokens } from './prices.ts';

/** How long a provider keeps a prefix after its last use, by default. Milliseconds. */
export const cacheLifetimeMs = 300_000;

const texts = new WeakMap<Message, string>();

/** Returns the bytes that a message is sent as. */
function bytesOf(message: Message): string {
  let text = texts.get(message);
  if (text === undefined) texts.set(message, (text = JSON.stringify(message)));
  return text;
}

/**
 * Simulates a provider's prompt cache for one conversation. It reads the longest prefix of whole messages that a prompt
 * shares with the one before it.
 */
export class PrefixCache {
  readonly #countMessage: (message: Message) => number;
  #prompt: readonly Message[] = [];
  #usedAt = Number.NEGATIVE_INFINITY;

  constructor(countMessage: (message: Message) => number) {
    this.#countMessage = countMessage;
  }

  isWarm(now: number): boolean {
    return now - this.#usedAt <= cacheLifetimeMs;
  }

  /** Tokens of the prompt that are read from the cache. */
  read(prompt: readonly Message[], now: number): number {
    if (!this.isWarm(now)) return 0;
    let tokens = 0;
    for (const [at, message] of prompt.entries()) {
      const last = this.#prompt[at];
      if (!last || (last !== message && bytesOf(last) !== bytesOf(message))) break;
      tokens += this.#countMessage(message);
    }
    return tokens >= minCachedPromptTokens ? tokens : 0;
  }

  /** Caches a prompt that was sent. */
  write(prompt: readonly Message[], now: number): void {
    this.#prompt = prompt;
    this.#usedAt = now;
  }
}
