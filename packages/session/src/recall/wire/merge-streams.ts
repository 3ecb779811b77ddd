import { createParser } from 'eventsource-parser';
import type { Session } from '../../session.ts';
import { longestEvent, readerFor } from '../../wire/reply-reader.ts';
import { learnFrom, type SentConversation } from '../../wire/send-request.ts';
import type { InnerRounds } from './inner-rounds.ts';
import type { ReplyStream, StreamEvent } from './recall-format.ts';
import { withBody } from './with-body.ts';

/**
 * Answers the calls in streamed replies. The client gets one stream. It begins with the first part of the message that is
 * for the client: until then, an error of a further request is returned as it is, and the SDK can repeat the request.
 */
export function mergeStreams(session: Session, rounds: InnerRounds, first: SentConversation): Promise<Response> {
  return new MergedStream(session, rounds, first).open();
}

export function isEventStream({ headers }: Response): boolean {
  return /\btext\/event-stream\b/i.test(headers.get('content-type') ?? '');
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;

class MergedStream {
  readonly #session: Session;
  readonly #rounds: InnerRounds;
  readonly #stream: ReplyStream;
  #sent: SentConversation;
  #reader: Reader | null = null;
  #isCancelled = false;

  constructor(session: Session, rounds: InnerRounds, first: SentConversation) {
    this.#session = session;
    this.#rounds = rounds;
    this.#stream = rounds.format.openStream(rounds.isOwn);
    this.#sent = first;
  }

  async open(): Promise<Response> {
    const pieces = this.#pieces();
    const begun: string[] = [];
    while (!this.#stream.hasBegun) {
      const { done, value } = await pieces.next();
      if (done) break;
      begun.push(value);
    }
    const { reply } = this.#sent;
    // Nothing was passed on yet, so the client gets the error itself.
    if (!reply.ok || !isEventStream(reply)) return reply;
    const encoder = new TextEncoder();
    const body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          if (begun.length > 0) controller.enqueue(encoder.encode(begun.join('')));
        },
        pull: async (controller) => {
          const { done, value } = await pieces.next();
          if (done) controller.close();
          else controller.enqueue(encoder.encode(value));
        },
        cancel: async (reason) => {
          this.#isCancelled = true;
          await this.#reader?.cancel(reason);
          await pieces.return();
        },
      },
      { highWaterMark: 0 },
    );
    return withBody(reply, body);
  }

  async *#pieces(): AsyncGenerator<string, void> {
    const stream = this.#stream;
    for (;;) {
      stream.next();
      for await (const event of this.#events()) {
        const text = typeof event === 'string' ? event : stream.read(event);
        if (text !== '') yield text;
      }
      const turn = stream.turn();
      if (this.#isCancelled) return;
      if (!this.#rounds.isContinued(turn)) {
        await this.#rounds.finish(turn, this.#sent);
        break;
      }
      this.#sent = await this.#rounds.continue(turn, this.#sent);
      const { reply } = this.#sent;
      if (reply.ok && isEventStream(reply)) continue;
      if (stream.hasBegun)
        yield stream.failure(`The request after a search in the conversation failed: ${reply.status}`);
      return;
    }
    const end = stream.end();
    if (end !== '') yield end;
  }

  /** The events of a reply, and its comments as they are. */
  async *#events(): AsyncGenerator<StreamEvent | string, void> {
    const { reply, request } = this.#sent;
    const report = readerFor('text/event-stream')!;
    const events: (StreamEvent | string)[] = [];
    const parser = createParser({
      maxBufferSize: longestEvent,
      onError(error) {
        // An event is held until it is complete, so the stream cannot go on without it.
        if (error.type === 'max-buffer-size-exceeded') throw error;
      },
      onEvent: (event) => events.push(event),
      onComment: (comment) => events.push(`: ${comment}\n\n`),
    });
    const decoder = new TextDecoder();
    const reader = reply.body!.getReader();
    this.#reader = reader;
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        report.read(value);
        parser.feed(decoder.decode(value, { stream: true }));
        yield* events.splice(0);
      }
      parser.reset({ consume: true });
      yield* events.splice(0);
    } finally {
      learnFrom(this.#session, request, report.end());
    }
  }
}
