import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { minAssumedWindow } from '@palimpsest/core/authoring';
import type { Conversations } from '../conversations/conversations.ts';
import { fitsWindow, isOwnCompaction } from '../conversations/own-compaction.ts';
import { type ConversationRequest, readConversation, windowOf } from '../conversations/read-conversation.ts';
import type { ModelWindows } from '../library/model-windows.ts';
import { requestHeaders } from './forwarded-headers.ts';
import { InvalidStatusError, type UpstreamConnection } from './upstream-fetch.ts';
import type { UpstreamSigning } from './upstream-signing.ts';
import type { Target } from './upstreams.ts';
import { writeError, writeReply } from './write-reply.ts';

/** The body of a request: in memory, or, if it is too long for that, as a stream. */
type RequestBody = { readonly bytes: Buffer } | { readonly stream: Readable };

/** What the handling of requests needs, the same for all of them. */
export interface HandlerOptions {
  readonly conversations: Conversations;
  readonly windows: ModelWindows;
  readonly connection: UpstreamConnection;
  readonly signing: Pick<UpstreamSigning, 'admit'>;
  /** The name of this proxy in `Via`. */
  readonly via: string;
  /** True to send every request unchanged, and only report what would have been changed. */
  readonly isDryRun: boolean;
  readonly onProblem: (message: string) => void;
}

/** Largest body in bytes that is read. A longer one is streamed: no provider accepts such a conversation. */
const maxBytes = 32 * 1024 * 1024;

const summaryOfPart =
  'The agent compacts its own history, which does not fit the window. Its summary is made from the compacted history.';

/** Answers of providers to a conversation that is too long. */
const refusals: ReadonlySet<number> = new Set([400, 413, 422]);

/** Passes a request on to its provider, and the reply back. */
export async function handleRequest(
  request: IncomingMessage,
  response: ServerResponse,
  target: Target,
  options: HandlerOptions,
): Promise<void> {
  const gone = new AbortController();
  response.on('close', () => {
    if (!response.writableFinished) gone.abort(new Error('The client closed the connection.'));
  });
  try {
    await writeReply(await replyTo(request, target, gone.signal, options), response);
  } catch (error) {
    if (!gone.signal.aborted) writeFailure(response, error, target.url.origin, options.connection);
  }
}

/** Answers a request that failed. @param origin the address of the provider */
function writeFailure(
  response: ServerResponse,
  error: unknown,
  origin: string,
  { hasThrown }: UpstreamConnection,
): void {
  const [type, message] =
    error instanceof InvalidStatusError
      ? ['upstream_invalid', `${origin} answered with ${error.message}.`]
      : hasThrown(error)
        ? [
            'upstream_unreachable',
            `no answer from ${origin}: ${reasonOf(error)}. Check the network and the address that the proxy was started with.`,
          ]
        : ['reply_failed', `the answer of ${origin} could not be passed on: ${reasonOf(error)}.`];
  writeError(response, 502, type, message);
}

async function replyTo(
  request: IncomingMessage,
  { upstream, url }: Target,
  signal: AbortSignal,
  { connection, conversations, signing, via, isDryRun, onProblem, windows }: HandlerOptions,
): Promise<Response> {
  const method = request.method ?? 'GET';
  const headers = requestHeaders(request.rawHeaders, via);
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const body = hasBody ? await readBody(request, maxBytes) : { bytes: Buffer.alloc(0) };
  if (upstream === 'bedrock' && 'bytes' in body) await signing.admit(request, headers, body.bytes);
  if (!hasBody) return connection.fetch(url, { method, headers, signal });
  if ('stream' in body) {
    const { 'content-length': length } = request.headers;
    if (length !== undefined) headers.set('content-length', length);
    return connection.fetch(url, { method, headers, body: body.stream as unknown as BodyInit, signal });
  }
  const { bytes } = body;
  const init = { method, headers, body: bytes as unknown as BodyInit, signal };
  const passOn = (): Promise<Response> => connection.fetch(url, init);
  const isReadable = method === 'POST' && isText(request, bytes);
  const found = isReadable ? readConversation(url, bytes) : null;
  if (!found || isShort(found, windows)) return passOn();
  const own = isOwnCompaction(found);
  if (own) conversations.noteOwnCompaction(found, request.headers, upstream);
  if (own && (isDryRun || fitsWindow(found, windows))) {
    const reply = await passOn();
    if (isDryRun || !refusals.has(reply.status)) return reply;
    await reply.body?.cancel();
  }
  const compact = async (): Promise<Response> => {
    const conversation = conversations[own ? 'aside' : 'find'](found, request.headers, upstream);
    const reply = conversation.send(found, url, init);
    if (own) {
      onProblem(summaryOfPart);
      void reply.finally(() => conversation.end()).catch(() => undefined);
    }
    return reply;
  };
  if (isDryRun) {
    compact().catch(() => undefined);
    return passOn();
  }
  const before = connection.callsWith(signal);
  return compact().catch((error: unknown) => {
    if (signal.aborted || connection.callsWith(signal) > before) throw error;
    // A failure before the request is sent must not stop the agent, such as a message that is nested too deeply.
    return passOn();
  });
}

/** False for a compressed body, and for one that is not text. */
function isText({ headers }: IncomingMessage, bytes: Buffer): boolean {
  return headers['content-encoding'] === undefined && isUtf8(bytes);
}

/**
 * True for a request such as one for a title: without tools, and so short that it fits with its answer. A token has at
 * least one byte.
 */
function isShort(request: ConversationRequest, windows: ModelWindows): boolean {
  const { tools, bytes, maxTokens } = request;
  return tools.length === 0 && bytes.length + maxTokens <= (windowOf(request, windows) ?? minAssumedWindow);
}

/** Why a call failed: a system error's message names only the address. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'an unknown error';
  const { code } = error as NodeJS.ErrnoException;
  return code ? `${code}` : error.name;
}

/**
 * Reads a body up to a limit. A longer one is not held in memory: it is passed on as it comes.
 * @param maxBytes more than any provider accepts
 */
async function readBody(request: IncomingMessage, maxBytes: number): Promise<RequestBody> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return { stream: request };
  const chunks: Buffer[] = [];
  let length = 0;
  const source = request[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  for (let next = await source.next(); !next.done; next = await source.next()) {
    chunks.push(next.value);
    length += next.value.length;
    if (length > maxBytes) return { stream: Readable.from(concat(chunks, source), { objectMode: false }) };
  }
  return { bytes: Buffer.concat(chunks, length) };
}

async function* concat(chunks: Buffer[], source: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  // Each chunk is released when it is passed on.
  for (let chunk = chunks.shift(); chunk; chunk = chunks.shift()) yield chunk;
  for (let next = await source.next(); !next.done; next = await source.next()) yield next.value;
}
