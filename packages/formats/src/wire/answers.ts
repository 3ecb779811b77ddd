import type { Usage } from '@palimpsest/core';
import { checksum, isRecord, jsonText } from '@palimpsest/core/authoring';
import { type Fields, recordsIn } from '../record.ts';
import type { Framing, ReadEvent, StreamEvent } from './framing.ts';
import { combineUsage } from './usage.ts';

/** A call in an answer. */
export interface AnswerCall {
  readonly id: string;
  readonly name: string;
  /** The arguments, as the model wrote them. */
  readonly input: unknown;
}

/** A call with its result. */
export interface AnsweredCall extends AnswerCall {
  readonly answer: string;
}

/** True for the name of a tool that the reader answers itself, so the client must not see its calls. */
export type IsOwn = (name: unknown) => boolean;

/** One answer of a model. */
export interface RawAnswer {
  /** The answer as messages or items of a conversation. */
  readonly items: readonly Fields[];
  /** The same without own calls: what the client sees. */
  readonly visible: readonly Fields[];
  readonly text: string;
  /** The own calls. */
  readonly calls: readonly AnswerCall[];
  /** True if it calls tools of the client. */
  readonly hasHostCalls: boolean;
  /** False for an answer that was cut off or has an error. */
  readonly isComplete: boolean;
  /** The usage report, as the provider wrote it. */
  readonly usage: unknown;
}

/** Reads the streams of several answers, and puts them together into one. */
export interface AnswerStream {
  /** True when a part of the message was shown. Before that, the stream can still be replaced by an error. */
  readonly hasBegun: boolean;
  /** @returns the events to show the client */
  read(event: ReadEvent): readonly StreamEvent[];
  /** The answer as far as it was read. */
  answer(): RawAnswer;
  /** Begins the next answer. */
  next(): void;
  /** The end of the message. */
  end(): readonly StreamEvent[];
  /** An error that ends the message, when an answer failed in the middle of it. */
  failure(message: string): StreamEvent;
}

/** How an API's answers are read, put together, and found again in a history. */
export interface Answers {
  /**
   * How an answer is divided into events; `null` for one that is not streamed.
   * @param isStreamed true if its request asks for a stream
   */
  framingOf(contentType: string, isStreamed: boolean): Framing | null;
  openStream(isOwn: IsOwn): AnswerStream;
  /** Reads an answer that is not streamed. */
  readWhole(answer: Fields, isOwn: IsOwn): RawAnswer;
  /** Puts several answers together into the one that the client sees. */
  mergeWhole(answers: readonly Fields[], read: readonly RawAnswer[]): Fields;
  /** The error in an answer, or in an event of a stream; `null` without one. */
  errorIn(answer: Fields): unknown;
  /** Reads a usage report; `null` for that of another API, and for one without a prompt size. */
  usageOf(usage: Fields): Usage | null;
  /** The ranges of a conversation that the model wrote. */
  answersIn(list: readonly Fields[]): readonly (readonly [from: number, to: number])[];
  /** The key of an answer: its words and the ids of its calls, the same however an SDK writes the answer. */
  keyOf(items: readonly Fields[]): string;
  /** The messages or items with the results of calls. */
  results(calls: readonly AnsweredCall[]): readonly Fields[];
  /** True for a message or item that has only results. */
  isResult(item: Fields): boolean;
  /** Joins results with what the client sends next; absent if they stay separate items. */
  joinResults?(results: readonly Fields[], next: Fields | undefined): Fields | null;
}

/** The error in an answer, or in an event, of most APIs. */
export function errorIn(answer: Fields): unknown {
  if (answer.type === 'error') return answer.error ?? answer;
  return isRecord(answer.error) ? answer.error : null;
}

/** The fields of several answers as one, except their content: the first id, the usage of all, the rest of the last. */
export function mergeFields(answers: readonly Fields[]): Fields {
  const usage = answers.map((answer) => answer.usage).reduce(combineUsage, undefined);
  return { ...answers.at(-1), id: answers[0]?.id, ...(usage === undefined ? {} : { usage }) };
}

/** Writes the key of an answer. SDKs trim and join texts, so it has no white space. */
export function answerKey(texts: readonly string[], callIds: readonly unknown[]): string {
  return `${texts.map((text) => text.replace(/\s+/g, '')).join('')}|${callIds.join(' ')}`;
}

/**
 * What a call asks for, in place of an id. In digits: as the value of a field called `key`, hexadecimal ones would be taken for a
 * secret, and not be stored.
 */
export function callKey(name: unknown, input: unknown = {}): number {
  return Number.parseInt(checksum(`${String(name)} ${jsonText(input)}`), 16);
}

/** The answers of a model whose answers are single messages. */
export function assistantAnswers(list: readonly Fields[]): readonly (readonly [from: number, to: number])[] {
  return list.flatMap(({ role }, at) => (role === 'assistant' ? [[at, at + 1] as const] : []));
}

/** The text of a content: a string, or parts. */
export function textIn(content: unknown): string {
  if (typeof content === 'string') return content;
  return recordsIn(content)
    .map(({ text }) => (typeof text === 'string' ? text : ''))
    .join('');
}
