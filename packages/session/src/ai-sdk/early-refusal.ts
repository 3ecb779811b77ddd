interface StreamPart {
  readonly type: string;
  readonly delta?: string;
  readonly error?: unknown;
}

/** Parts of a stream that come before the content of an answer. Providers of AI SDK 5 begin a text before it has a word. */
const opening = /^(?:stream-start|response-metadata|raw|text-start|reasoning-start)$/;

/**
 * Waits for the first content of a streamed answer.
 * @throws the error that the stream has in place of content, if `isRefusal` says so: nothing was passed on yet, so the call
 * can be made again
 */
export async function withoutEarlyRefusal<Streamed extends { readonly stream: ReadableStream }>(
  result: Streamed,
  isRefusal: (error: unknown) => boolean,
): Promise<Streamed> {
  const [ahead, stream] = result.stream.tee();
  const reader = ahead.getReader();
  let part: StreamPart | undefined;
  try {
    do part = (await reader.read()).value;
    while (part && (opening.test(part.type) || part.delta === ''));
  } catch {
    // The other branch fails in the same way.
  }
  // Resolves only when both branches are cancelled.
  void reader.cancel().catch(() => undefined);
  if (part?.type !== 'error' || !isRefusal(part.error)) return { ...result, stream };
  void stream.cancel().catch(() => undefined);
  throw part.error;
}
