import type { Message } from '@palimpsest/core';

/** A session of an agent that can be searched. */
export interface FoundSession {
  /** Its path, or the name of a conversation of a proxy. */
  readonly name: string;
  /** When it last changed, in milliseconds since the epoch. */
  readonly changed: number;
  /** Changes whenever the session does. */
  readonly version: string;
  messages(): Promise<readonly Message[]>;
}
