import { isRecord } from '@palimpsest/core/authoring';
import type { FetchFunction } from './fetch-with-recovery.ts';

/** A request of a client of the AWS SDK. */
export interface AwsRequest {
  readonly method: string;
  readonly protocol: string;
  readonly hostname: string;
  readonly port?: number | undefined;
  readonly path: string;
  readonly query?: Readonly<Record<string, string | readonly string[] | null>> | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** A response as a client of the AWS SDK reads it. */
export interface AwsResponse {
  readonly statusCode: number;
  readonly reason: string;
  readonly headers: Record<string, string>;
  readonly body: ReadableStream<Uint8Array> | null;
}

/** The `requestHandler` of a client. */
export interface AwsRequestHandler {
  handle(
    request: AwsRequest,
    options?: { readonly abortSignal?: unknown },
  ): Promise<{ readonly response: AwsResponse }>;
  updateHttpClientConfig(): void;
  httpHandlerConfigs(): object;
}

/**
 * Returns the `requestHandler` of a client of the AWS SDK, such as `BedrockRuntimeClient`, which takes no `fetch`.
 *
 * @example
 * const client = new BedrockRuntimeClient({ requestHandler: awsRequestHandler(contextFetch(session)) });
 */
export function awsRequestHandler(fetch: FetchFunction): AwsRequestHandler {
  return {
    async handle(request, { abortSignal } = {}) {
      const { method, headers, body } = request;
      // `fetch` sets it from the address.
      const { host: _, ...rest } = headers;
      const reply = await fetch(addressOf(request), {
        method,
        headers: rest,
        // A redirect would take the session token along.
        redirect: 'manual',
        ...(body === undefined || method === 'GET' || method === 'HEAD' ? {} : { body: body as BodyInit }),
        signal: toAbortSignal(abortSignal),
      });
      const { status: statusCode, statusText: reason } = reply;
      return {
        response: { statusCode, reason, headers: Object.fromEntries(reply.headers), body: reply.body },
      };
    },
    updateHttpClientConfig() {},
    httpHandlerConfigs: () => ({}),
  };
}

/** The signal of a request. AWS's own class has `onabort` instead of events. */
function toAbortSignal(given: unknown): AbortSignal | null {
  if (given instanceof AbortSignal) return given;
  if (!isRecord(given) || typeof given.aborted !== 'boolean') return null;
  const abort = new AbortController();
  if (given.aborted) abort.abort();
  else Object.assign(given, { onabort: () => abort.abort() });
  return abort.signal;
}

function addressOf({ protocol, hostname, port, path, query = {} }: AwsRequest): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value]
      .flat()
      .map((one) => `${encodeURIComponent(name)}${one === null ? '' : `=${encodeURIComponent(String(one))}`}`),
  );
  const search = pairs.length === 0 ? '' : `?${pairs.join('&')}`;
  return `${protocol}//${hostname}${port === undefined ? '' : `:${port}`}${path}${search}`;
}
