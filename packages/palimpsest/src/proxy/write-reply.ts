import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { replyHeaders } from './forwarded-headers.ts';
import type { Refusal } from './refusals.ts';

/** Milliseconds after an error until the connection of a client that is still sending is closed. */
export const graceMs = 2000;

/** Milliseconds after which the connection of a client that reads nothing is closed. */
const maxStallMs = 120_000;

/**
 * Passes a reply on, chunk by chunk. If the provider breaks it off, or the client stops reading, closes the connection to the
 * client.
 * @param stallMs how long a client may read nothing, in milliseconds
 */
export async function writeReply(
  reply: Response,
  response: ServerResponse,
  stallMs: number = maxStallMs,
): Promise<void> {
  for (const [name, value] of replyHeaders(reply.headers)) response.appendHeader(name, value);
  response.writeHead(reply.status);
  response.flushHeaders();
  if (!reply.body) {
    response.end();
    return;
  }
  const stop = endWhenStalled(response, stallMs);
  try {
    await pipeline(Readable.fromWeb(reply.body as ReadableStream<Uint8Array>), response);
  } finally {
    stop();
  }
}

/** Ends a response that the client does not read. Time in which the model sends nothing does not count. @returns a function that stops that */
function endWhenStalled(response: ServerResponse, stallMs: number): () => void {
  let read = -1;
  let since = 0;
  const timer = setInterval(() => {
    const isRead = !response.writableNeedDrain || response.socket?.bytesWritten !== read;
    if (isRead) [read, since] = [response.socket?.bytesWritten ?? -1, performance.now()];
    else if (performance.now() - since >= stallMs) response.destroy(new Error('The client reads nothing.'));
  }, stallMs / 4).unref();
  return () => clearInterval(timer);
}

/** Answers with an error in the shape that the clients of OpenAI and Anthropic both read. */
export function writeError(response: ServerResponse, { status, type, message, retryAfter }: Refusal): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter);
  const { req: request } = response;
  // A client that is still sending gets time to read the error.
  if (!request.complete)
    response.once('finish', () => setTimeout(() => request.complete || request.socket.destroy(), graceMs).unref());
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(errorBody(type, message));
}

/** The body of an error. */
export function errorBody(type: string, message: string): string {
  return JSON.stringify({ type: 'error', error: { type, message: `palimpsest: ${message}` } });
}
