/** A reply on its way to the client, and the same one for another reader. */
export interface CopiedReply {
  readonly passed: Response;
  /** Gets each chunk after the client. */
  readonly copy: Response;
  /** Resolves when the first chunk was passed on. */
  readonly begun: Promise<void>;
}

/** Lets two read a reply. Only the client slows the provider down; the other one has to read at once. */
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
