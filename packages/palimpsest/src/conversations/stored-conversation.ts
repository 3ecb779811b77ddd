import type { Identity } from './match.ts';

/** A conversation as it is stored. Contains no text and no key of the agent, only hashes. */
export interface StoredConversation extends Identity {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly lastUsed: number;
}
