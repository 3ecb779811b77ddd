import type { Usage } from '@palimpsest/core';
import { parseRecord } from '@palimpsest/core/authoring';
import type { Fields } from '../record.ts';
import type { AnswerStream, IsOwn, RawAnswer } from './answers.ts';
import type { Framing, StreamEvent } from './framing.ts';
import { joinBytes } from './join-bytes.ts';
import { readUsage } from './read-usage.ts';
import type { Wire } from './wire.ts';

/** One answer of a model, and what it reports. */
export interface Answer extends Omit<RawAnswer, 'usage'> {
  /** `null` without a usage report. */
  readonly usage: Usage | null;
  /** An error inside an answer with a successful status; `null` without one. */
  readonly error: unknown;
}

/** Reads an answer chunk by chunk while it is passed on. */
export interface AnswerReader {
  read(chunk: Uint8Array): void;
  /** Returns what was read, at the end of the answer or when the client stops reading. */
  end(): Answer;
}

/** Maximum length of an answer that is not streamed, in characters. No model writes longer ones. */
const maxAnswerLength = 64 * 1024 * 1024;

const none: IsOwn = () => false;

/**
 * Creates the reader of an answer; `null` for a content type in which there is nothing to read.
 * @param isStreamed true if the request asks for a stream
 */
export function answerReader(wire: Wire, contentType: string, isStreamed = false): AnswerReader | null {
  const framing = wire.answers.framingOf(contentType, isStreamed);
  if (framing) {
    const stream = new StreamReader(wire, framing);
    let isTooLong = false;
    return {
      read(chunk) {
        try {
          if (!isTooLong) stream.read(chunk);
        } catch {
          // The answer is passed on all the same. Only what it reports from here on is not known.
          isTooLong = true;
        }
      },
      end: () => stream.end().answer,
    };
  }
  if (!/\bjson\b/i.test(contentType)) return null;
  const decoder = new TextDecoder();
  let text = '';
  return {
    read(chunk) {
      if (text.length < maxAnswerLength) text += decoder.decode(chunk, { stream: true });
    },
    end: () => wholeAnswer(wire, parseRecord(text + decoder.decode()) ?? {}),
  };
}

/** Reads an answer that is not streamed. */
export function wholeAnswer({ answers }: Wire, answer: Fields, isOwn: IsOwn = none): Answer {
  return withReports(answers.readWhole(answer, isOwn), answers.errorIn(answer));
}

/** Reads the streams of several answers that become one. */
export class StreamReader {
  readonly #wire: Wire;
  readonly #framing: Framing;
  readonly #stream: AnswerStream;
  #source: ReturnType<Framing['open']>;
  #error: unknown = null;
  #shown: StreamEvent[] = [];

  constructor(wire: Wire, framing: Framing, isOwn: IsOwn = none) {
    this.#wire = wire;
    this.#framing = framing;
    this.#stream = wire.answers.openStream(isOwn);
    this.#source = this.#open();
  }

  /** See {@link AnswerStream.hasBegun}. */
  get hasBegun(): boolean {
    return this.#stream.hasBegun;
  }

  /** @returns the events to show the client */
  read(chunk: Uint8Array): readonly StreamEvent[] {
    this.#source.read(chunk);
    return this.#shown.splice(0);
  }

  /** Ends the answer that is read. */
  end(): { readonly answer: Answer; readonly shown: readonly StreamEvent[] } {
    this.#source.end();
    return { answer: withReports(this.#stream.answer(), this.#error), shown: this.#shown.splice(0) };
  }

  /** Begins the next answer. */
  next(): void {
    this.#stream.next();
    this.#source = this.#open();
    this.#error = null;
  }

  /** The end of the message; with a text, an error that ends it. */
  finish(failure?: string): readonly StreamEvent[] {
    return failure === undefined ? this.#stream.end() : [this.#stream.failure(failure)];
  }

  write(events: readonly StreamEvent[]): Uint8Array {
    const encoder = new TextEncoder();
    const pieces = events.map((event) => {
      const piece = this.#framing.write(event);
      return typeof piece === 'string' ? encoder.encode(piece) : piece;
    });
    return joinBytes(pieces);
  }

  #open(): ReturnType<Framing['open']> {
    return this.#framing.open((event) => {
      if ('comment' in event) {
        this.#shown.push(event);
        return;
      }
      const data = String(event.data);
      const fields = parseRecord(data);
      if (fields) this.#error ??= this.#wire.answers.errorIn(fields);
      for (const shown of this.#stream.read({ event: event.event, data, fields })) this.#shown.push(shown);
    });
  }
}

function withReports({ usage, ...answer }: RawAnswer, error: unknown): Answer {
  return { ...answer, usage: readUsage(usage), error };
}
