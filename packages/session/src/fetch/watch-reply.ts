import { answerReader } from '@palimpsest/formats/wire';
import type { Session } from '../session.ts';
import { type DecodedRequest, type FetchReply, learnFrom, learnFromStream } from './fetch-with-recovery.ts';

/**
 * Lets a session learn from an answer while it is passed on. Every chunk is passed on before it is read. When the client
 * stops reading, the connection is closed.
 */
export function watchAnswer(session: Session, { wire, facts }: DecodedRequest, sent: FetchReply): Response {
  const { reply } = sent;
  const { body } = reply;
  const reader = body && answerReader(wire, reply.headers.get('content-type') ?? '', facts.isStreamed);
  if (!body || !reader) {
    learnFrom(session, sent, null);
    return reply;
  }
  const source = body.getReader();
  let over = false;
  const finish = (isBroken = false): void => {
    if (over) return;
    over = true;
    try {
      learnFromStream(session, sent, reader.end(), isBroken);
    } catch {
      // A report that cannot be read must not break the reply.
    }
  };
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await source.read().catch((error: unknown) => {
          finish(true);
          throw error;
        });
        if (done) {
          finish();
          controller.close();
          return;
        }
        controller.enqueue(value);
        reader.read(value);
      },
      cancel(reason) {
        finish();
        return source.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
  const { status, statusText, headers, url } = reply;
  const watched = new Response(stream, { status, statusText, headers });
  Object.defineProperty(watched, 'url', { value: url });
  return watched;
}
