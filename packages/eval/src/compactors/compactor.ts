import type { Message, TokenCounter } from '@palimpsest/core';
import type { Search } from '../search/searching-agent.ts';

/**
 * Makes a conversation smaller. The simplest compactor is such a function.
 *
 * `messages` are OpenAI chat messages, oldest first, without the system prompt. The returned messages are sent in their
 * place. They must not have more than `budgetTokens`, counted with `counter`; of a larger output, only the newest messages
 * that fit are scored. The input must not be changed.
 */
export type Compact = (
  messages: readonly Message[],
  budgetTokens: number,
  counter: TokenCounter,
) => readonly Message[] | Promise<readonly Message[]>;

/** A call of a model that a compactor made. */
export interface ModelCall {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** An output together with the calls that it cost. */
export interface CompactedMessages {
  readonly messages: readonly Message[];
  /** Billed in the dollars of the result. @default none */
  readonly calls?: readonly ModelCall[] | undefined;
}

/** A compactor that calls models, or that finds again what it removed. */
export interface Compactor {
  /** As {@link Compact}; may also return the calls of models that it made. */
  readonly compact: (
    ...given: Parameters<Compact>
  ) => readonly Message[] | CompactedMessages | Promise<readonly Message[] | CompactedMessages>;
  /** Finds names in what the last call of `compact` removed. Without it, recall is not measured. */
  readonly search?: Search | undefined;
}
