import { type Answer, type Framing, StreamReader } from '@palimpsest/formats/wire';
import type { Session } from '../../session.ts';
import { type DecodedRequest, type FetchReply, learnFromStream } from '../fetch-with-recovery.ts';
import type { ToolRounds } from './tool-rounds.ts';
import { withBody } from './with-body.ts';

/**
 * Answers the calls in streamed replies. The client gets one stream. It begins with the first part of the message that is
 * for the client: until then, an error of a further request is returned as it is, and the SDK can repeat the request.
 */
export function mergeStreams(
  session: Session,
  rounds: ToolRounds,
  framing: Framing,
  first: FetchReply,
): Promise<Response> {
  return new MergedStream(session, rounds, framing, first).open();
}

/** How a streamed reply is divided into events; `null` for one that is not streamed. */
export function framingOf({ wire, facts }: DecodedRequest, { headers }: Response): Framing | null {
  return wire.answers.framingOf(headers.get('content-type') ?? '', facts.isStreamed);
}

class MergedStream {
  readonly #session: Session;
  readonly #rounds: ToolRounds;
  readonly #stream: StreamReader;
  #sent: FetchReply;
  #reader: ReadableStreamDefaultReader<Uint8Array> | null = null;
  #isCancelled = false;

  constructor(session: Session, rounds: ToolRounds, framing: Framing, first: FetchReply) {
    this.#session = session;
    this.#rounds = rounds;
    this.#stream = new StreamReader(rounds.wire, framing, rounds.isOwn);
    this.#sent = first;
  }

  async open(): Promise<Response> {
    const pieces = this.#pieces();
    const begun: Uint8Array[] = [];
    while (!this.#stream.hasBegun) {
      const { done, value } = await pieces.next();
      if (done) break;
      begun.push(value);
    }
    const { reply } = this.#sent;
    // Nothing was passed on yet, so the client gets the error itself.
    if (!this.#isStream(reply)) return reply;
    const body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          for (const piece of begun) controller.enqueue(piece);
        },
        pull: async (controller) => {
          const { done, value } = await pieces.next();
          if (done) controller.close();
          else controller.enqueue(value);
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

  /** What the client gets, in pieces that are not empty. */
  async *#pieces(): AsyncGenerator<Uint8Array, void> {
    for await (const events of this.#visibleEvents()) {
      const bytes = this.#stream.write(events);
      if (bytes.length > 0) yield bytes;
    }
  }

  async *#visibleEvents(): AsyncGenerator<ReturnType<StreamReader['read']>, void> {
    const stream = this.#stream;
    for (;;) {
      const answer = yield* this.#read();
      if (this.#isCancelled) return;
      if (!this.#rounds.isContinued(answer)) {
        await this.#rounds.finish(answer, this.#sent);
        break;
      }
      this.#sent = await this.#rounds.continue(answer, this.#sent);
      const { reply } = this.#sent;
      // The client cancelled while the next request was being sent. Its answer is cancelled as well.
      if (this.#isCancelled) {
        await reply.body?.cancel().catch(() => undefined);
        return;
      }
      if (this.#isStream(reply)) {
        stream.next();
        continue;
      }
      if (stream.hasBegun)
        yield stream.finish(`The request after a search in the conversation failed: ${reply.status}`);
      return;
    }
    yield stream.finish();
  }

  /** Reads one reply. */
  async *#read(): AsyncGenerator<ReturnType<StreamReader['read']>, Answer> {
    const sent = this.#sent;
    const reader = sent.reply.body!.getReader();
    this.#reader = reader;
    let isBroken = true;
    let end: ReturnType<StreamReader['end']> | null = null;
    try {
      for (let next = await reader.read(); !next.done; next = await reader.read()) yield this.#stream.read(next.value);
      isBroken = false;
    } catch (error) {
      // Such as an event that is too long. The rest is not read.
      reader.cancel(error).catch(() => undefined);
      throw error;
    } finally {
      end = this.#stream.end();
      learnFromStream(this.#session, sent, end.answer, isBroken && !this.#isCancelled);
    }
    yield end.shown;
    return end.answer;
  }

  #isStream(reply: Response): boolean {
    return reply.ok && framingOf(this.#rounds.asked, reply) !== null;
  }
}
