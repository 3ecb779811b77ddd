import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Refusal } from '../refusals.ts';
import { errorBody, graceMs } from '../write-reply.ts';

/** What protects a server from slow and many clients. */
export interface ServerLimits {
  /** Milliseconds in which a whole request has to arrive; its headers in a quarter of that, at most 20 seconds. */
  readonly requestTimeoutMs: number;
  /** Further connections are closed at once. */
  readonly maxConnections: number;
  /** Bytes of the bodies of all running requests. A request beyond them is refused, and may be sent again. */
  readonly maxRunningBytes: number;
}

export const defaultServerLimits: ServerLimits = {
  requestTimeoutMs: 120_000,
  maxConnections: 1000,
  maxRunningBytes: 256 * 1024 * 1024,
};

/** A server that answers slow clients and broken requests with an error, and closes their connections. */
export function createLimitedServer(
  listener: RequestListener,
  { requestTimeoutMs, maxConnections }: Pick<ServerLimits, 'requestTimeoutMs' | 'maxConnections'>,
  onRefused: (client: string | undefined, refusal: Pick<Refusal, 'status' | 'type'>) => void,
): Server {
  const headersTimeout = Math.min(20_000, requestTimeoutMs / 4);
  const server = createServer(
    {
      requestTimeout: requestTimeoutMs,
      headersTimeout,
      connectionsCheckingInterval: Math.min(5000, headersTimeout),
    },
    listener,
  );
  server.maxConnections = maxConnections;
  server.on('drop', (dropped) => onRefused(dropped?.remoteAddress, { status: 0, type: 'too_many_connections' }));
  const newest = new WeakMap<Socket, ServerResponse>();
  server.on('request', ({ socket }, response) => newest.set(socket, response));
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const { status, type, message } = errors[error.code ?? ''] ?? malformed;
    const response = newest.get(socket);
    // In the middle of a reply, an error would become part of it. A request that was answered before its end is refused already.
    const isFree =
      socket.writable &&
      error.code !== 'ECONNRESET' &&
      !(response?.headersSent && !(response.writableEnded && response.req.complete));
    if (!isFree) return socket.destroy();
    onRefused(socket.remoteAddress, { status: Number.parseInt(status, 10), type });
    const body = errorBody(type, message);
    socket.end(
      `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
      // What has arrived and is not read would reset the connection before the client has read the error.
      () => setTimeout(() => socket.destroy(), graceMs).unref(),
    );
    return undefined;
  });
  return server;
}

const malformed = { status: '400 Bad Request', type: 'malformed', message: 'the request is not valid HTTP.' };

/** By the code of the error of `node:http`. */
const errors: Readonly<Record<string, typeof malformed | undefined>> = {
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: '408 Request Timeout',
    type: 'too_slow',
    message: 'the request did not arrive in time.',
  },
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    type: 'headers_too_large',
    message: 'the headers have more than 16 kB.',
  },
};
