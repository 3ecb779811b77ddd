import type { Message, RewriteEdit } from '@palimpsest/core';
import type { Transcript } from '@palimpsest/core/authoring';
import type { ToolExchange } from '../exchange/tool-exchange.ts';
import type { PolicySettings } from '../policy/policy-settings.ts';
import type { Quote } from '../stub/quote.ts';

/** A rewrite of one message that a strategy proposes. */
export interface Proposal {
  /** Index of the message. */
  readonly at: number;
  /** The fields to set. */
  readonly set: RewriteEdit['set'];
  /** The reason, in one sentence without text from the conversation. */
  readonly note: string;
}

/** The transcript with the changes of the strategies that ran before. */
export interface PruneView {
  /** The original transcript. */
  readonly transcript: Transcript;
  readonly policy: PolicySettings;
  /** Index at which the protected part begins. Messages before it are old. */
  readonly oldEnd: number;
  /** Index at which the user turns to keep begin. */
  readonly turnsStart: number;
  /** Puts conversation text on one line, redacted and shortened. */
  readonly quote: Quote;
  /**
   * False for messages that must not change: the current task, the pending tool calls, calls and results of
   * protected tools, broken exchanges, and everything before `policy.from`.
   */
  mayEdit(index: number): boolean;
  /** Returns the current message; `null` if it must not be edited or was replaced. */
  message(index: number): Message | null;
  /** Returns the current message, editable or not; `null` if it was replaced. */
  current(index: number): Message | null;
  /** Returns the tokens of the current message. */
  tokens(index: number): number;
  /** Returns a current result with its call, editable or not; `null` for other messages and for broken exchanges. */
  exchange(index: number): ToolExchange | null;
}

/** One way to shrink a transcript. Must be pure. */
export interface Strategy {
  /** The name in the report and in the reasons of its edits. */
  readonly name: string;
  /**
   * Proposes rewrites. A proposal that would not shrink its message is skipped. Each proposal of a generator is applied
   * to the view before the generator continues; proposals in a list are applied at the end.
   */
  propose(view: PruneView): Iterable<Proposal>;
}
