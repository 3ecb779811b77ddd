import { type ReplyReport, readerFor } from './reply-reader.ts';

/**
 * The reply with somebody reading along. Every chunk is handed on as it comes, before it is looked at; who stops reading
 * stops the connection, as without.
 */
export function watchReply(reply: Response, told: (report: ReplyReport) => void): Response {
  const { body } = reply;
  const reader = body && readerFor(reply.headers.get('content-type') ?? '');
  if (!body || !reader) {
    told({ usage: null, error: null });
    return reply;
  }
  const source = body.getReader();
  let over = false;
  const finish = (): void => {
    if (over) return;
    over = true;
    try {
      told(reader.end());
    } catch {
      // What cannot be read is not worth a reply.
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
