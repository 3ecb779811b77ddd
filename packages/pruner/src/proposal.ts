import type { RewriteEdit } from '@palimpsest/core';

/** One rewrite a strategy asks for. */
export interface Proposal {
  /** Index of the message. */
  readonly at: number;
  readonly set: RewriteEdit['set'];
  /** Why, in one sentence without conversation text. */
  readonly note: string;
}
