import type { RewriteEdit } from '@palimpsest/core';

/** A rewrite of one message that a strategy proposes. */
export interface Proposal {
  /** Index of the message. */
  readonly at: number;
  /** The fields to set. */
  readonly set: RewriteEdit['set'];
  /** The reason, in one sentence without text from the conversation. */
  readonly note: string;
}
