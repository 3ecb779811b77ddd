import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { replyHeaders } from './forwarded-headers.ts';

/** Passes a reply on, chunk by chunk. If the provider breaks it off, closes the connection to the client. */
export async function writeReply(reply: Response, response: ServerResponse): Promise<void> {
  for (const [name, value] of replyHeaders(reply.headers)) response.appendHeader(name, value);
  response.writeHead(reply.status);
  response.flushHeaders();
  if (!reply.body) {
    response.end();
    return;
  }
  await pipeline(Readable.fromWeb(reply.body as ReadableStream<Uint8Array>), response);
}

/** Answers with an error in the shape that the clients of OpenAI and Anthropic both read. */
export function writeError(response: ServerResponse, status: number, type: string, message: string): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ type: 'error', error: { type, message: `palimpsest: ${message}` } }));
}
