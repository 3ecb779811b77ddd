import type { ToolSchema } from '@palimpsest/core';
import type { Codec } from '../codec.ts';
import type { Fields } from '../record.ts';
import type { Answers } from './answers.ts';

/** A request body, parsed. */
export type Body = Fields;

/** What a request says apart from its conversation. */
export interface RequestFacts {
  readonly model: string | undefined;
  /** The tool declarations. They count toward the size of the prompt. */
  readonly tools: readonly unknown[];
  /** The cap on the answer, in tokens. */
  readonly maxTokens: number | undefined;
  /** The window that the request sets, in tokens; absent in APIs whose models have one window. */
  readonly window?: number | undefined;
  /** The smallest cap with which the request still works, in tokens; `undefined` when any does. */
  readonly minTokens: number | undefined;
  readonly isStreamed: boolean;
  /** The field that refers to a history which the provider stores, so that it is not in the body. */
  readonly continues: string | undefined;
  /** What names the conversation: the same in all its requests. */
  readonly identity: readonly unknown[];
}

/** Sentences that say why a request must not be used for something; `null` where it may. */
export interface Obstacles {
  /** Why no tools may be added whose calls the client does not see. `null` also where the model is only forbidden to call any. */
  readonly tools: string | null;
  /** Why the model may not answer one more message of the user with a text. */
  readonly text: string | null;
}

/**
 * A provider's API as it is spoken over HTTP: how its requests are recognized, read and changed. Everything that
 * depends on the API is here, so its users know none.
 */
export interface Wire<Tool = unknown> {
  /** Its name in options and stores. */
  readonly name: string;
  /** Reads and writes the conversation of a body. All other fields stay. */
  readonly codec: Codec<Body>;
  /** The field of a body with the messages or items. */
  readonly list: string;
  /** True for the address of requests for an answer, also at gateways; not for counts and batches. */
  isAddress(url: URL): boolean;
  /** The messages or items of a body; `null` when it has no conversation. */
  itemsOf(body: Body): readonly Fields[] | null;
  /** @param url the request's address, which names the model in some APIs */
  factsOf(body: Body, url: URL): RequestFacts;
  /** Returns the body with a new output cap, in the field that it already uses. */
  withCap(body: Body, cap: number): Body;
  /**
   * The answer to a request that continues a history which the provider stores, if the SDK sends the whole history
   * after it; `null` for any other request.
   */
  wholeHistoryError(body: Body): { readonly status: number; readonly body: Fields } | null;
  /** Writes a message of the user. */
  userMessage(text: string): Fields;
  /** Returns the body with one message of the user in place of the conversation: without tools, free to answer in text. */
  question(body: Body, text: string): Body;
  /** Declares a tool. */
  declareTool(schema: ToolSchema): Tool;
  /** Adds declarations. They come first, so that a change of the client's tools does not move them. */
  withTools(body: Body, tools: readonly unknown[]): Body;
  /** Returns the body with the model forbidden to call tools. */
  withoutCalls(body: Body): Body;
  /** What in a body prevents additions to what its client asked for. */
  obstaclesIn(body: Body): Obstacles;
  readonly answers: Answers;
}
