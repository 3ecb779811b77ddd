import type { ToolSchema } from '@palimpsest/core';

/** A JSON object of a request or a reply. */
export type Fields = Readonly<Record<string, unknown>>;

/** A call of one of the session's tools in a reply. */
interface OwnCall {
  readonly id: string;
  readonly name: string;
  /** The arguments, as the model wrote them. */
  readonly input: unknown;
}

/** A call with its answer. */
export interface AnsweredCall extends OwnCall {
  readonly answer: string;
}

/** One reply of the model. */
export interface ReplyTurn {
  /** The reply as messages or items of a conversation. */
  readonly items: readonly Fields[];
  /** The same without the calls of the session's tools: what the SDK gets. */
  readonly visible: readonly Fields[];
  readonly calls: readonly OwnCall[];
  readonly hasHostCalls: boolean;
  /** False for a reply that was cut off or has an error. Its calls are not answered. */
  readonly isComplete: boolean;
}

/** True for the name of one of the session's tools. */
export type IsOwn = (name: unknown) => boolean;

/** One event of a stream. */
export interface StreamEvent {
  readonly event?: string | undefined;
  readonly data: string;
}

/** Merges the streams of several replies into one. */
export interface ReplyStream {
  /** True when a part of the message was passed on. Before that, the stream can still be replaced by an error. */
  readonly hasBegun: boolean;
  /** Begins the stream of the next reply. */
  next(): void;
  /** @returns the text to pass on, or `''` */
  read(event: StreamEvent): string;
  /** The reply that was read since {@link next}. */
  turn(): ReplyTurn;
  /** @returns the end of the message */
  end(): string;
  /** An error that ends the message, for a reply that failed in the middle of it. */
  failure(message: string): string;
}

/** Reads and writes calls of the session's tools in one wire format. */
export interface RecallFormat {
  /** Declares the tools. */
  declaration(schema: ToolSchema): Fields;
  /** Why the tools cannot be added to a body; `null` if they can. */
  obstacle(body: Fields): string | null;
  /** The value of `tool_choice` that forbids calls. */
  readonly noCalls: unknown;
  /** The ranges of a conversation that the model wrote. */
  turnsIn(list: readonly Fields[]): readonly (readonly [from: number, to: number])[];
  /**
   * The key of a reply, made from its words and the ids of its calls. It is the same however the SDK writes the reply.
   */
  keyOf(items: readonly Fields[]): string;
  /** The messages or items with the answers. */
  results(calls: readonly AnsweredCall[]): readonly Fields[];
  /** Joins answers with what the host sends next; absent if they stay separate items. */
  joinResults?(results: readonly Fields[], next: Fields | undefined): Fields | null;
  readWhole(reply: Fields, isOwn: IsOwn): ReplyTurn;
  /** Merges several replies into the one that the SDK sees. */
  mergeWhole(replies: readonly Fields[], turns: readonly ReplyTurn[]): Fields;
  openStream(isOwn: IsOwn): ReplyStream;
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function fieldsIn(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isFields) : [];
}

export function parsedFields(text: string): Fields | null {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : null;
  } catch {
    return null;
  }
}

/** A text as a key: SDKs trim and join texts. */
export function wordsOf(text: unknown): string {
  return typeof text === 'string' ? text.replace(/\s+/g, '') : '';
}

/** Formats an event of a stream. */
export function eventText(data: unknown, name?: string): string {
  return `${name === undefined ? '' : `event: ${name}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
}
