import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';

/** The body of a request: in memory, or, if it is too long or there is no room for it, as a stream. */
export type RequestBody = { readonly bytes: Buffer } | { readonly stream: Readable; readonly hasRoom: boolean };

/**
 * Reads a body up to a limit. A longer one is not held in memory: it is passed on as it comes.
 * @param maxBytes a longer body is returned as a stream
 * @param hasRoom called with the bytes that have arrived; false if there is no room for them
 */
export async function readBody(
  request: IncomingMessage,
  maxBytes: number,
  hasRoom: (bytes: number) => boolean,
): Promise<RequestBody> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return { stream: request, hasRoom: true };
  const chunks: Buffer[] = [];
  let length = 0;
  const source = request[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  for (let next = await source.next(); !next.done; next = await source.next()) {
    if (!hasRoom(next.value.length)) return { stream: Readable.from(concat([], source)), hasRoom: false };
    chunks.push(next.value);
    length += next.value.length;
    if (length > maxBytes)
      return { stream: Readable.from(concat(chunks, source), { objectMode: false }), hasRoom: true };
  }
  return { bytes: Buffer.concat(chunks, length) };
}

async function* concat(chunks: Buffer[], source: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  // Each chunk is released when it is passed on.
  for (let chunk = chunks.shift(); chunk; chunk = chunks.shift()) yield chunk;
  for (let next = await source.next(); !next.done; next = await source.next()) yield next.value;
}
