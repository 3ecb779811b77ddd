import { Duplex, pipeline, Readable } from 'node:stream';
import * as zlib from 'node:zlib';
import type { FetchFunction } from '@palimpsest/session/fetch';
import { Agent, type Dispatcher, EnvHttpProxyAgent, request } from 'undici';

/** A status that HTTP does not define. */
export class InvalidStatusError extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`the status ${status}, which HTTP does not define`);
    this.status = status;
  }
}

/** Calls providers. */
export interface UpstreamConnection {
  readonly fetch: FetchFunction;
  /** Number of calls that were made with a signal. */
  callsWith(signal: AbortSignal): number;
  /** When the first call with a signal was made, as `performance.now()`; `null` without one. */
  firstCallAt(signal: AbortSignal): number | null;
  /** True for an error of the connection. */
  hasThrown(error: unknown): boolean;
  /** Ends all connections. */
  close(): Promise<void>;
}

/** Origins that one dispatcher calls. */
const maxOrigins = 64;

/** Replies without a body, which `Response` does not accept with one. */
const withoutBody: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * Opens connections to providers. Unlike the global `fetch`, it follows no redirects, adds no headers, waits as long as a
 * model takes, and uses the proxy that `HTTPS_PROXY` names.
 */
export function connectUpstream(): UpstreamConnection {
  // A model may think for longer than any default timeout before its first byte. The client ends what it gives up.
  const options = { headersTimeout: 0, bodyTimeout: 0, connect: { timeout: 30_000 } };
  const open = (): Dispatcher => (hasProxy(process.env) ? new EnvHttpProxyAgent(options) : new Agent(options));
  let dispatcher = open();
  let origins = new Set<string>();
  /** A dispatcher keeps each origin for good, and clients name regions. So it is replaced; what it runs ends first. */
  const dispatcherFor = (url: string): Dispatcher => {
    origins.add(new URL(url).origin);
    if (origins.size > maxOrigins) {
      void dispatcher.close();
      dispatcher = open();
      origins = new Set();
    }
    return dispatcher;
  };
  const thrown = new WeakSet<object>();
  const calls = new WeakMap<AbortSignal, { readonly firstAt: number; count: number }>();
  const noteCall = (signal: AbortSignal): void => {
    const known = calls.get(signal);
    if (known) known.count++;
    else calls.set(signal, { firstAt: performance.now(), count: 1 });
  };
  return {
    async fetch(input, init = {}) {
      if (init.signal) noteCall(init.signal);
      const { statusCode, headers, body } = await request(String(input), {
        dispatcher: dispatcherFor(String(input)),
        method: (init.method ?? 'GET') as Dispatcher.HttpMethod,
        headers: Object.fromEntries(new Headers(init.headers)),
        body: (init.body ?? null) as Buffer | Readable | string | null,
        signal: init.signal ?? null,
      }).catch((error: unknown) => {
        if (typeof error === 'object' && error !== null) thrown.add(error);
        throw error;
      });
      if (statusCode < 200 || statusCode > 599) {
        body.on('error', () => {}).destroy();
        throw new InvalidStatusError(statusCode);
      }
      const isEmpty = withoutBody.has(statusCode) || init.method === 'HEAD';
      if (isEmpty) await body.dump();
      const received = headersOf(headers);
      return new Response(isEmpty ? null : streamOf(decompress(body, received)), {
        status: statusCode,
        headers: received,
      });
    },
    callsWith: (signal) => calls.get(signal)?.count ?? 0,
    firstCallAt: (signal) => calls.get(signal)?.firstAt ?? null,
    hasThrown: (error) => typeof error === 'object' && error !== null && thrown.has(error),
    close: () => dispatcher.close(),
  };
}

const decoders: Readonly<Record<string, (() => Duplex) | undefined>> = {
  gzip: zlib.createGunzip,
  'x-gzip': zlib.createGunzip,
  deflate: () => Duplex.from(inflate),
  br: zlib.createBrotliDecompress,
  // Since Node 22.15.
  zstd: (zlib as { readonly createZstdDecompress?: () => Duplex }).createZstdDecompress,
};

/** Some servers send `deflate` without the header of zlib. Its first byte ends with 8. */
async function* inflate(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const chunks = body[Symbol.asyncIterator]();
  const first = await chunks.next();
  if (first.done) return;
  const whole = async function* () {
    yield first.value;
    yield* { [Symbol.asyncIterator]: () => chunks };
  };
  const decoder = (first.value[0]! & 15) === 8 ? zlib.createInflate() : zlib.createInflateRaw();
  yield* pipeline(Readable.from(whole()), decoder, () => undefined);
}

/** The text of a body: gateways compress answers although no compression is asked for. Changes the headers with it. */
function decompress(body: Readable, headers: Headers): Readable {
  const names = headers.get('content-encoding')?.toLowerCase().split(',') ?? [];
  // The last one was applied last.
  const steps = names.reverse().map((name) => decoders[name.trim()]);
  if (steps.length === 0 || steps.includes(undefined)) return body;
  headers.delete('content-encoding');
  headers.delete('content-length');
  // An error of the body is thrown by the stream that is read.
  return steps.reduce<Readable>((stream, decoder) => pipeline(stream, decoder!(), () => undefined), body);
}

/** `Readable.toWeb` of Node 20 throws outside of any call when a chunk arrives after the stream was cancelled. */
function streamOf(body: Readable): ReadableStream<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel() {
        body.destroy();
      },
    },
    { highWaterMark: 0 },
  );
}

function headersOf(given: Readonly<Record<string, string | string[] | undefined>>): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(given))
    for (const each of Array.isArray(value) ? value : [value ?? '']) headers.append(name, each);
  return headers;
}

function hasProxy(env: NodeJS.ProcessEnv): boolean {
  return ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY'].some((name) => env[name]);
}
