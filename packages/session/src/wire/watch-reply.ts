import { type ReplyReport, readerFor } from './reply-reader.ts';

/**
 * Reads a reply while it is passed on. Every chunk is passed on before it is read. When the client stops reading, the
 * connection is closed.
 */
export function watchReply(reply: Response, onReport: (report: ReplyReport) => void): Response {
  const { body } = reply;
  const reader = body && readerFor(reply.headers.get('content-type') ?? '');
  if (!body || !reader) {
    onReport({ usage: null, error: null });
    return reply;
  }
  const source = body.getReader();
  let over = false;
  const finish = (): void => {
    if (over) return;
    over = true;
    try {
      onReport(reader.end());
    } catch {
      // A report that cannot be read must not break the reply.
    }
  };
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await source.read();
        if (done) {
          finish();
          controller.close();
          return;
        }
        controller.enqueue(value);
        try {
          reader.read(value);
        } catch {
          over = true;
        }
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
