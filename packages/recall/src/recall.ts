import type { Clock, Message, ToolSchema } from '@palimpsest/core';
import type { ArchiveOptions, KeyValueStorage, RecallEvent } from './archive/key-value-storage.ts';
import type { Projection } from './hidden/hidden-text.ts';
import type { CountText } from './tools/answer.ts';

/** Options of `createRecall`. */
export interface RecallOptions {
  /** Id of the conversation. Refs and archived messages are valid only for this id. */
  readonly sessionId: string;
  /** Masks secrets in archived texts and in events. Answers quote the history unmasked: the model saw it before. */
  readonly redact: (text: string) => string;
  /** Counts the tokens of answers. @default the estimator of `@palimpsest/tokens` */
  readonly countText?: CountText | undefined;
  /** Maximum size of one answer in tokens; at least 200. @default 2000 */
  readonly maxTokens?: number | undefined;
  /** Keeps archived messages across restarts, for example an `unstorage` storage. @default memory only */
  readonly store?: KeyValueStorage | undefined;
  /** Limits of the archive. */
  readonly archive?: ArchiveOptions | undefined;
  readonly clock?: Clock | undefined;
  /** Receives the events of the archive, such as a failure of the store. Must not throw. */
  readonly onEvent?: ((event: RecallEvent) => void) | undefined;
}

/** The ref of a hidden text, and the call it came from. */
export interface RecallRef {
  readonly ref: string;
  /** Name of the called tool, or the role of the message. */
  readonly tool: string;
  /** The call on one line. */
  readonly head: string;
}

/** A passage that a search found. */
export interface RecallHit extends RecallRef {
  /** Index of its message in the history, from 0; -1 for an archived text. */
  readonly at: number;
  /** Number of its first line in the text behind the ref, from 1. */
  readonly line: number;
  /** The lines of the passage: about 700 characters. */
  readonly text: string;
}

/** Searches what is hidden from the model in one conversation. */
export interface Recall {
  /** The declarations of `recall` and `expand`, in the format of OpenAI's chat completions. */
  readonly tools: readonly ToolSchema[];
  /**
   * Sets the current history, and what the model gets of it. Only copies the list: new texts are indexed at the next
   * tool call.
   * @param history the untouched messages
   * @param projection the result of a compaction of `history`; `null` when nothing is hidden. @default null
   */
  update(history: readonly Message[], projection?: Projection | null): void;
  /**
   * Answers a call of one of the tools. Invalid input does not throw: the answer explains it to the model.
   * @param input the arguments, as an object or as the JSON text that the model wrote
   */
  callTool(name: string, input: unknown): Promise<string>;
  /**
   * Finds what the tool `recall` finds, for a program that shows it to a person. Best first.
   * @param limit maximum number of hits. @default 4
   */
  search(query: string, limit?: number): Promise<readonly RecallHit[]>;
  /** Returns the refs of the hidden texts of the message at an index, for stubs and summaries that mention them. */
  refsOf(at: number): readonly RecallRef[];
  /**
   * Archives messages, masked, before the host removes them from its history. Resolves when they are written. Failures
   * of the store are reported as events.
   * @param projection if given, only what it hides is archived. @default everything is archived
   */
  archive(messages: readonly Message[], projection?: Projection): Promise<void>;
  /** Removes everything archived under this session id, also from the store as far as it can be read. */
  clearArchive(): Promise<void>;
  /** Frees the memory of the index. The next tool call rebuilds it. */
  release(): void;
}
