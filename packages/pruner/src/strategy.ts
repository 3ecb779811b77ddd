import type { Message } from '@palimpsest/core';
import type { Transcript } from '@palimpsest/core/authoring';
import type { KnownExchange } from './memory.ts';
import type { PolicySettings } from './policy-settings.ts';
import type { Proposal } from './proposal.ts';
import type { Quote } from './quote.ts';

/** What a strategy sees: the transcript as the strategies before it left it. */
export interface PruneView {
  readonly transcript: Transcript;
  readonly policy: PolicySettings;
  /** Index after the last message outside of the protection; what lies from here on is recent. */
  readonly oldEnd: number;
  /** Where the user turns begin that the policy keeps. */
  readonly turnsStart: number;
  readonly quote: Quote;
  /** Indices of the messages, but for the assistant's, that are made of parts rather than of one text; in order. */
  readonly inParts: readonly number[];
  /** By index, the characters of a result that is one text and stands as it came; 0 for every other message. */
  readonly resultLengths: ArrayLike<number>;
  /** False for what must stay as it is: the request, in flight, a protected tool's, of a broken exchange, before `policy.from`. */
  mayEdit(index: number): boolean;
  /** A message as it stands now; `null` when it must not be edited, or is replaced already. */
  message(index: number): Message | null;
  /** A message as it stands now, whether it may be edited or not; `null` when it is replaced already. */
  current(index: number): Message | null;
  /** Tokens of a message as it stands now. */
  tokens(index: number): number;
  /** The call a result answers, with the result as it stands now, editable or not; `null` for other messages and broken exchanges. */
  exchange(index: number): KnownExchange | null;
}

/**
 * One way to shrink a transcript. Pure. A generator sees each proposal carried out on the view before it goes on; a list
 * is faster where that does not matter.
 */
export interface Strategy {
  /** The code its edits carry. */
  readonly name: string;
  propose(view: PruneView): Iterable<Proposal>;
}
