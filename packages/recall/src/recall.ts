import type { Clock, Message, ToolSchema } from '@palimpsest/core';
import type { ArchiveOptions, RecallEvent, RecallStore } from './archive/recall-store.ts';
import type { Projection } from './hidden/hidden-text.ts';
import type { CountText } from './tools/answer.ts';

/** Options of `createRecall`. */
export interface RecallOptions {
  /** The conversation. Refs and archived messages are valid only under the same id. */
  readonly sessionId: string;
  /** Masks secrets in what is stored and reported. Answers to the model quote what it saw before. */
  readonly redact: (text: string) => string;
  /** Counts the tokens of answers. @default the estimator of `@palimpsest/tokens` */
  readonly countText?: CountText | undefined;
  /** Size limit of one answer. Tokens, at least 200. @default 2000 */
  readonly maxTokens?: number | undefined;
  /** Keeps archived messages over restarts: any `unstorage` storage. @default memory */
  readonly store?: RecallStore | undefined;
  /** Bounds of the archive. */
  readonly archive?: ArchiveOptions | undefined;
  readonly clock?: Clock | undefined;
  /** Receives problems of the store. Must not throw. */
  readonly onEvent?: ((event: RecallEvent) => void) | undefined;
}

/** A hidden text by its ref. */
export interface RecallRef {
  readonly ref: string;
  /** Name of the called tool, or the role of the message. */
  readonly tool: string;
  /** The call on one line. */
  readonly head: string;
}

/** Searches what is hidden from the model in one conversation. */
export interface Recall {
  /** The declarations of `recall` and `expand`, in the format of OpenAI's chat completions. */
  readonly tools: readonly ToolSchema[];
  /**
   * Sets the current history, and what the model gets of it. Costs a copy of the list: texts are indexed at the next
   * call of a tool, and only those that are new.
   * @param history the untouched messages
   * @param projection the result of a compression of `history`; `null` when nothing is hidden. @default null
   */
  update(history: readonly Message[], projection?: Projection | null): void;
  /**
   * Answers a call of one of the tools. Problems are answered, not thrown, because the model has to read them.
   * @param input the arguments, as an object or as the JSON text that the model wrote
   */
  callTool(name: string, input: unknown): Promise<string>;
  /** The refs of the hidden texts of a message of the history, for stubs and summaries that mention them. */
  refsOf(at: number): readonly RecallRef[];
  /**
   * Keeps messages that the host is about to remove from its history, masked. Resolves when they are written; problems
   * of the store are reported as events.
   * @param projection keeps only what it hides. @default all messages are kept
   */
  archive(messages: readonly Message[], projection?: Projection): Promise<void>;
  /** Removes everything that was archived under this session id, also from the store. */
  clearArchive(): Promise<void>;
  /** Frees the index. It is built again at the next call of a tool. */
  release(): void;
}
