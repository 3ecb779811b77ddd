/** A reply for the client, and a copy of it for another reader. */
export interface CopiedReply {
  readonly passed: Response;
  /** Gets each chunk after the client. */
  readonly copy: Response;
  /** Resolves when the first chunk was passed on. */
  readonly begun: Promise<void>;
}

/** Copies a reply for a second reader. Only the client can slow the provider down, so that reader must read at once. */
export function copiedReply(reply: Response): CopiedReply {
  const { status, statusText, headers } = reply;
  const source = reply.body?.getReader();
  if (!source) return { passed: reply, copy: new Response(null, { status, headers }), begun: Promise.resolve() };
  let feed: ReadableStreamDefaultController<Uint8Array>;
  const copy = new ReadableStream<Uint8Array>({
    start(controller) {
      feed = controller;
    },
  });
  let begin = (): void => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const passed = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await source.read().catch((error: unknown) => {
          feed.close();
          begin();
          throw error;
        });
        if (done) {
          controller.close();
          feed.close();
        } else {
          controller.enqueue(value);
          feed.enqueue(value);
        }
        begin();
      },
      cancel(reason) {
        feed.close();
        begin();
        return source.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
  return {
    passed: new Response(passed, { status, statusText, headers }),
    copy: new Response(copy, { status, statusText, headers }),
    begun,
  };
}
