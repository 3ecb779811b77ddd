import type { Content, ToolCall } from '../messages/message.ts';
import type { LineSource } from './line-source.ts';

/** Why an edit was made, for reports. JSON. */
export interface EditReason {
  /** The phase or strategy: `dedupe`, `stub`, `summarize`, `drop`, ... A replaced message whose edit says `summarize` counts as summarized, any other as dropped. */
  readonly code: string;
  /** One sentence for a user. Never conversation text. */
  readonly note?: string | undefined;
}

/**
 * A user message to insert: a handoff, followed by the verbatim content of messages of the transcript. A plan names these
 * messages by index, and `apply` copies their content. So a plan cannot misquote them and holds no user text.
 */
export interface Inserted {
  /** A text from `writeHandoff`: framed and, if the host has a key, signed. */
  readonly handoff: string;
  /**
   * Harness messages, such as nudges and snapshots. Their content is placed between the handoff and the carried messages,
   * quoted in a `<harness-message>` block, so that it is not mistaken for the user's words. @default []
   */
  readonly quote?: readonly Carried[] | undefined;
  /**
   * User messages whose content follows verbatim. A handoff at the start of such a message, and harness messages quoted
   * after it, are left out. Usually another part of the plan removes the message, but it may also stay where it is.
   */
  readonly carry: readonly Carried[];
  /**
   * The lines of the handoff whose source is known, in order: those that rules wrote. Any other line is about all
   * replaced messages: what a model wrote, headings, counts. For reports; the text does not depend on it. @default []
   */
  readonly sources?: readonly LineSource[] | undefined;
}

/**
 * A user message to carry: its index in the original transcript, or the index with what differs from the message. A list
 * is several messages whose texts become one text, also next to messages with parts; `compose` writes it.
 */
export type Carried = number | CarriedMessage | readonly (number | CarriedMessage)[];

/** A message to carry with what differs from it. */
export interface CarriedMessage {
  /** Index in the original transcript. */
  readonly at: number;
  /** Characters to leave out at the start: another system's handoff, which core does not recognize. @default 0 */
  readonly skip?: number | undefined;
  /** Content in place of the message's own, for example with a picture replaced by `[image removed]`. */
  readonly content?: Content | undefined;
}

/** Rewrites one message in place: a stub, shorter arguments, removed images. Names only the fields that change. */
export interface RewriteEdit {
  readonly kind: 'rewrite';
  /** Index of the message in the original transcript. */
  readonly at: number;
  readonly set: {
    readonly content?: Content;
    /** The same calls in the same order under the same ids; only their input may differ. */
    readonly tool_calls?: readonly ToolCall[];
    readonly reasoning_content?: null;
  };
  readonly reasons: readonly EditReason[];
}

/**
 * Replaces whole groups: summarize, drop (`with: []`), or insert (`from === to`). System messages in them stay, before
 * the inserted messages, except those in `folds`.
 */
export interface ReplaceEdit {
  readonly kind: 'replace';
  /** Half-open range of group indices in the original transcript. */
  readonly groups: readonly [from: number, to: number];
  readonly with: readonly Inserted[];
  /**
   * Indices of system messages that are removed with these groups; never leading ones. They carry the host's authority,
   * so the inserted text has to say that their instructions came from the host.
   */
  readonly folds?: readonly number[];
  readonly reasons: readonly EditReason[];
}

/** One step of a plan. JSON, and always relative to the original transcript. */
export type Edit = RewriteEdit | ReplaceEdit;
