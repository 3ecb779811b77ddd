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
 * A user message to insert: a handoff, followed by the verbatim content of messages of the transcript. A plan names
 * these messages by index, and `apply` copies their content. A plan therefore contains no user text and cannot misquote
 * it.
 */
export interface Inserted {
  /** A text from `writeHandoff`: framed and, if the host has a key, signed. */
  readonly handoff: string;
  /**
   * Harness messages, such as nudges and snapshots. Their content is placed between the handoff and the carried
   * messages, quoted in a `<harness-message>` block, so that it cannot be mistaken for the user's words. @default []
   */
  readonly quote?: readonly Carried[] | undefined;
  /**
   * Instructions that the host inserted into user messages, such as an instruction file. They follow in the same quoted
   * block, word for word, except for masked secrets. @default []
   */
  readonly instructions?: readonly string[] | undefined;
  /**
   * User messages whose content follows verbatim, without a handoff at its start and harness messages quoted after that
   * handoff. The plan usually removes these messages, but they may also stay.
   */
  readonly carry: readonly Carried[];
  /**
   * The sources of lines that rules wrote, in order of the lines. Any other line, such as a heading or a line by a
   * model, is about all replaced messages. For reports only. @default []
   */
  readonly sources?: readonly LineSource[] | undefined;
}

/**
 * A user message to carry: its index in the original transcript, or the index with changes. A list, written by
 * `compose`, means several messages whose texts become one text, even next to messages with parts.
 */
export type Carried = number | CarriedMessage | readonly (number | CarriedMessage)[];

/** A message to carry with changes. */
export interface CarriedMessage {
  /** Index in the original transcript. */
  readonly at: number;
  /** Number of characters to omit at the start: another system's handoff, which core does not recognize. @default 0 */
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
 * Replaces whole groups: summarize, drop (`with: []`), or insert (`from === to`). System messages in these groups stay,
 * except those in `summarizedSystems`: leading ones before the inserted messages, later ones after them.
 */
export interface ReplaceEdit {
  readonly kind: 'replace';
  /** Half-open range of group indices in the original transcript. */
  readonly groups: readonly [from: number, to: number];
  readonly with: readonly Inserted[];
  /**
   * Indices of system messages that are removed with these groups; never leading ones. They carry the host's authority:
   * unless a newer copy stays, the inserted text must state that their instructions came from the host.
   */
  readonly summarizedSystems?: readonly number[];
  readonly reasons: readonly EditReason[];
}

/** One step of a plan. JSON, and always relative to the original transcript. */
export type Edit = RewriteEdit | ReplaceEdit;
