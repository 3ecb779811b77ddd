import type { Content, Part, ToolCall } from './message.ts';

/** Why an edit was made, for reports and for people. JSON. */
export interface EditReason {
  /** The phase or strategy: `dedupe`, `stub`, `summarize`, `drop`, ... A replaced message whose edit says `summarize` counts as summarized, any other as dropped. */
  readonly code: string;
  /** One sentence for a person. Never conversation text. */
  readonly note?: string | undefined;
}

/** A part an engine may insert; the OpenAI user parts, so that an inserted message is a valid OpenAI message. */
export type InsertedPart =
  | { type: 'text'; text: string }
  | { type: 'image_url'; image_url: { url: string; detail?: 'auto' | 'low' | 'high' } }
  | { type: 'input_audio'; input_audio: { data: string; format: 'wav' | 'mp3' } }
  | { type: 'file'; file: { file_data?: string; file_id?: string; filename?: string } };

/** A message an engine writes. Never a system message and never a tool call: those are the caller's and the model's. */
export type Inserted =
  | { role: 'user'; content: string | InsertedPart[]; name?: string }
  | { role: 'assistant'; content: string };

/** Rewrites one message in place: a stub, shorter arguments, stripped images. Names only the fields that change. */
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
  /** Indices of original messages that stand verbatim inside `with`. */
  readonly carries?: readonly number[];
  /**
   * Indices of system messages that are removed with these groups; never leading ones. They carry the host's authority,
   * so the inserted text has to say that their instructions came from the host.
   */
  readonly folds?: readonly number[];
  readonly reasons: readonly EditReason[];
}

/** One step of a plan. JSON, and always relative to the original transcript. */
export type Edit = RewriteEdit | ReplaceEdit;

/** A user message to insert, its parts taken over from the transcript as they are. */
export function insertedUser(content: string | readonly Part[], name?: string | undefined): Inserted {
  // Parts copied from a caller's message are of the caller's type; the union names those OpenAI defines.
  const own = typeof content === 'string' ? content : ([...content] as unknown as InsertedPart[]);
  return name === undefined ? { role: 'user', content: own } : { role: 'user', content: own, name };
}
