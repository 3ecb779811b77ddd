import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { minAssumedWindow } from '@palimpsest/core/authoring';
import type { Body } from '@palimpsest/formats/wire';
import type { Conversation } from '../conversations/conversation.ts';
import type { Conversations } from '../conversations/conversations.ts';
import { fitsWindow, isOwnCompaction } from '../conversations/own-compaction.ts';
import { type ConversationRequest, readConversation, windowOf } from '../conversations/read-conversation.ts';
import type { ModelWindows } from '../library/model-windows.ts';
import { type Caller, scopeOf, upstreamScope } from './caller.ts';
import type { RequestRecord, RequestReporter } from './events/request-reporter.ts';
import { requestHeaders } from './forwarded-headers.ts';
import { type RequestBody, readBody } from './read-body.ts';
import { failureRefusal, overloaded, type Refusal } from './refusals.ts';
import type { ServedCompaction } from './served-compaction/served-compaction.ts';
import type { BodyBytes, RunningBytes } from './serving/running-bytes.ts';
import { tooLarge } from './tenants/admit.ts';
import type { UpstreamConnection } from './upstream-fetch.ts';
import type { UpstreamSigning } from './upstream-signing.ts';
import { writeError, writeReply } from './write-reply.ts';

/** Where a request comes from and goes. */
export type Route = Pick<RequestRecord, 'caller' | 'target'>;

/** What `handleRequest` needs for every request. */
export interface HandlerOptions {
  readonly conversations: Conversations;
  readonly windows: ModelWindows;
  readonly connection: UpstreamConnection;
  readonly signing: Pick<UpstreamSigning, 'admit'>;
  readonly compaction: Pick<ServedCompaction, 'answer'>;
  /** The name of this proxy in `Via`. */
  readonly via: string;
  /** True to send every request unchanged, and only report what would have been changed. */
  readonly isObserving: boolean;
  readonly reporter: RequestReporter;
  readonly runningBytes: RunningBytes;
  readonly onProblem: (message: string) => void;
}

/** Largest body in bytes that is read. A longer one is streamed: no provider accepts such a conversation. */
const maxBytes = 32 * 1024 * 1024;

/** A request that is refused while it is read. */
class RefusedError extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

const summaryOfPart =
  'The agent compacts its own history, which does not fit the window. Its summary is made from the compacted history.';

/** Answers of providers to a conversation that is too long. */
const tooLongStatuses: ReadonlySet<number> = new Set([400, 413, 422]);

/** Passes a request on to its provider, and the reply back. */
export async function handleRequest(
  request: IncomingMessage,
  response: ServerResponse,
  route: Route,
  options: HandlerOptions,
): Promise<void> {
  const gone = new AbortController();
  response.on('close', () => {
    if (!response.writableFinished) gone.abort(new Error('The client closed the connection.'));
  });
  const record: RequestRecord = {
    ...route,
    request,
    client: request.socket.remoteAddress,
    signal: gone.signal,
    startedAt: performance.now(),
    receivedAt: null,
    conversation: null,
  };
  let refusal: Refusal | null = null;
  const body = options.runningBytes.body();
  try {
    const reply = await replyTo(record, body, options);
    route.caller.clearReply(reply);
    await writeReply(reply, response);
  } catch (error) {
    if (error instanceof RefusedError) refusal = error.refusal;
    if (gone.signal.aborted) return;
    if (refusal) writeError(response, refusal);
    else writeFailure(response, error, route, options);
  } finally {
    body.release();
    route.caller.release();
    if (refusal) options.reporter.noteRefusal({ tenant: route.caller.tenant, client: record.client }, refusal);
    else options.reporter.noteEnd(record, response);
  }
}

/** Answers a request that failed. The operator's network is for the log only, not for tenants. */
function writeFailure(
  response: ServerResponse,
  error: unknown,
  { caller: { tenant }, target }: Route,
  { connection, onProblem }: HandlerOptions,
): void {
  const { brief, ...refusal } = failureRefusal(error, target.url.origin, connection);
  if (tenant !== null) onProblem(`${tenant}: ${refusal.message}`);
  writeError(response, tenant === null ? refusal : { ...refusal, message: brief });
}

async function replyTo(record: RequestRecord, bodyBytes: BodyBytes, options: HandlerOptions): Promise<Response> {
  const { compaction, connection, isObserving, signing, via } = options;
  const { caller, request, signal, target } = record;
  const method = request.method ?? 'GET';
  const headers = requestHeaders(request.rawHeaders, via);
  const url = caller.authorize(headers, target.url);
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const body = hasBody ? await bodyOf(request, caller, bodyBytes) : { bytes: Buffer.alloc(0) };
  record.receivedAt = performance.now();
  if (target.upstream === 'bedrock' && 'bytes' in body) await signing.admit(request, headers, body.bytes);
  if (!hasBody) return connection.fetch(url, { method, headers, signal });
  if ('stream' in body) {
    const { 'content-length': length } = request.headers;
    if (length !== undefined) headers.set('content-length', length);
    return connection.fetch(url, { method, headers, body: body.stream as unknown as BodyInit, signal });
  }
  const { bytes } = body;
  const refusal = caller.bodyRefusal(bytes);
  if (refusal) throw new RefusedError(refusal);
  const isReadable = method === 'POST' && isText(request, bytes);
  const passOn = (sent: Buffer): Promise<Response> =>
    connection.fetch(url, { method, headers, body: sent as unknown as BodyInit, signal });
  if (!isReadable) return passOn(bytes);
  const sendOn = (sent: Buffer, parsed?: Body): Promise<Response> => {
    // A provider answers a known key with its reply to the earlier request.
    if (sent !== bytes) headers.delete('idempotency-key');
    const found = readConversation(url, sent, parsed);
    if (!found || isShort(found, options.windows)) return passOn(sent);
    const init = { method, headers, body: sent as unknown as BodyInit, signal };
    return send(found, { record, url, init }, options);
  };
  if (isObserving) return sendOn(bytes);
  const find = (found: ConversationRequest): Promise<Conversation> => findConversation(found, record, options);
  return compaction.answer({ url, headers, bytes, signal, find, sendOn });
}

/** A request that is sent on to an address. */
interface Sending {
  readonly record: RequestRecord;
  readonly url: URL;
  readonly init: RequestInit & { readonly signal: AbortSignal };
}

/** The conversation of a request. @param isAside true for a separate conversation for this request only */
async function findConversation(
  found: ConversationRequest,
  record: RequestRecord,
  { conversations }: HandlerOptions,
  isAside = false,
): Promise<Conversation> {
  const { caller, request, target } = record;
  const scope = upstreamScope(caller, target.upstream);
  const conversation = await conversations[isAside ? 'aside' : 'find'](found, request.headers, scope);
  conversations.keepAtMost(caller.maxConversations, scopeOf(caller));
  // Only the live view and `palimpsest mcp` search it, and a proxy with tenants has neither.
  if (caller.tenant !== null) conversation.newest = null;
  record.conversation = conversation;
  return conversation;
}

/** Sends a request with a conversation, and keeps it inside its window. */
async function send(found: ConversationRequest, sending: Sending, options: HandlerOptions): Promise<Response> {
  const { connection, conversations, isObserving, onProblem, reporter, windows } = options;
  const { init, record, url } = sending;
  const { caller, request, target } = record;
  const passOn = (): Promise<Response> => connection.fetch(url, init);
  const own = isOwnCompaction(found);
  const scope = upstreamScope(caller, target.upstream);
  if (own) conversations.noteOwnCompaction(found, request.headers, scope);
  if (own && (isObserving || fitsWindow(found, windows))) {
    const reply = await passOn();
    if (isObserving || !tooLongStatuses.has(reply.status)) return reply;
    await reply.body?.cancel();
  }
  const compact = async (): Promise<Response> => {
    const conversation = await findConversation(found, record, options, own);
    const reply = conversation.send(found, url, init);
    if (own) {
      onProblem(summaryOfPart);
      void reply.finally(() => conversation.end()).catch(() => undefined);
    }
    return reply;
  };
  if (isObserving) {
    compact().then(
      () => reporter.noteUsage(record.conversation!, caller),
      () => undefined,
    );
    return passOn();
  }
  const before = connection.callsWith(init.signal);
  return compact().catch((error: unknown) => {
    if (init.signal.aborted || connection.callsWith(init.signal) > before) throw error;
    // A failure before the request is sent must not stop the agent, such as a message that is nested too deeply.
    return passOn();
  });
}

/** Reads a body. @throws {RefusedError} if it has more bytes than the caller may send, or than there is room for */
async function bodyOf(request: IncomingMessage, { maxBytes: own }: Caller, counted: BodyBytes): Promise<RequestBody> {
  const body = await readBody(request, own ?? maxBytes, (bytes) => counted.add(bytes));
  if ('bytes' in body || (body.hasRoom && own === null)) return body;
  body.stream.on('error', () => undefined).resume();
  throw new RefusedError(body.hasRoom && own !== null ? tooLarge(own) : overloaded);
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
