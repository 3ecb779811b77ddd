import type { Message } from '@palimpsest/core';
import type { Transcript } from '@palimpsest/core/authoring';
import type { ToolExchange } from '../exchange/tool-exchange.ts';
import type { PolicySettings } from '../policy/policy-settings.ts';
import type { Quote } from '../stub/quote.ts';
import type { Proposal } from './proposal.ts';

/** The transcript as the strategies before have left it. */
export interface PruneView {
  /** The original transcript. */
  readonly transcript: Transcript;
  readonly policy: PolicySettings;
  /** Index at which the protected part begins. Messages before it are old. */
  readonly oldEnd: number;
  /** Index at which the user turns begin that the policy keeps. */
  readonly turnsStart: number;
  /** Puts text of the conversation on one line, redacted and shortened. */
  readonly quote: Quote;
  /**
   * False for messages that must not change: the current request, the pending tool exchange, calls and results of
   * protected tools, broken exchanges, and everything before `policy.from`.
   */
  mayEdit(index: number): boolean;
  /** The message as it is now; `null` if it must not be edited, or was replaced. */
  message(index: number): Message | null;
  /** The message as it is now, editable or not; `null` if it was replaced. */
  current(index: number): Message | null;
  /** Tokens of the message as it is now. */
  tokens(index: number): number;
  /** A result as it is now, with the call it answers, editable or not; `null` for other messages and broken exchanges. */
  exchange(index: number): ToolExchange | null;
}

/** One way to shrink a transcript. Must be pure. */
export interface Strategy {
  /** The name in the report and in the reasons of its edits. */
  readonly name: string;
  /**
   * Proposes rewrites. A proposal that would not shrink its message is skipped. A generator sees each proposal applied to
   * the view before it continues; a returned list is applied afterwards.
   */
  propose(view: PruneView): Iterable<Proposal>;
}
