import type { EditReason, Message, MessageOutcome } from '@palimpsest/core';

/** A line of a handoff, and the messages it comes from. */
export interface HandoffLine {
  /** Index of the line in the text of the handoff, from 0. */
  readonly line: number;
  /** The heading above it; `null` for a line before the first heading. */
  readonly section: string | null;
  readonly text: string;
  /**
   * Indices of the messages that the line comes from. `null` for a line about all replaced messages: text of a model, a
   * heading, a count.
   */
  readonly from: readonly number[] | null;
}

/** A handoff in the request. It replaces earlier messages. */
export interface InspectedHandoff {
  /** Index of its message in the request. */
  readonly at: number;
  /** Half-open range of the messages that it replaces; system messages in it may have stayed. */
  readonly replaces: { readonly from: number; readonly to: number };
  /** The lines of its body. */
  readonly lines: readonly HandoffLine[];
}

/** The outcome of one message of the history. */
export interface InspectedMessage {
  /** Index in the history, from 0. Pages and tables of the program count from 1. */
  readonly index: number;
  readonly role: Message['role'];
  /** The outcome, as in reports of compactions: `kept`, `rewritten`, `carried`, `summarized` or `dropped`. */
  readonly outcome: MessageOutcome['kind'];
  /** What changed it: the engine, or the session itself (repairs, content that a provider refused); `null` for nothing. */
  readonly by: 'engine' | 'session' | null;
  /** The phases or strategies that changed it, such as `stub` or `summarize`, in order; empty when it was kept. */
  readonly reasons: readonly EditReason[];
  /** Its text: content and tool calls. */
  readonly before: string;
  /** Its text as the model sees it; `null` when the message is removed, whether or not a handoff mentions it. */
  readonly after: string | null;
  /** Position in {@link Inspection.handoffs} of the handoff that replaces or carries it; `null` for none. */
  readonly handoff: number | null;
  /** The lines of handoffs that come from it. Lines about all replaced messages are left out. */
  readonly lines: readonly HandoffLine[];
}

/** How a history is sent to the model now. Texts are the caller's own, and secrets in them are not masked. */
export interface Inspection {
  /** Name of the engine. */
  readonly engine: string;
  /** Number of the compaction in effect; `null` for a history that is sent as it is. */
  readonly compaction: number | null;
  /** One entry for each message of the history, in order. */
  readonly messages: readonly InspectedMessage[];
  /** The handoffs in the request, in order. */
  readonly handoffs: readonly InspectedHandoff[];
}
