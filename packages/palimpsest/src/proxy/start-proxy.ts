import { randomBytes } from 'node:crypto';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FetchFunction } from '@palimpsest/session/fetch';
import type { ConversationStats } from '../conversations/conversation-stats.ts';
import type { Conversations } from '../conversations/conversations.ts';
import { openConversations } from '../conversations/open-conversations.ts';
import { loadModelWindows } from '../library/model-windows.ts';
import { type SessionSocket, serveSessions } from '../live-sessions/serve-sessions.ts';
import type { ProxyStatus } from '../status/status-page.ts';
import { isStatusPath, writeStatus } from '../status/write-status.ts';
import { hasPassed, refusal, wantsWebSocket } from './access.ts';
import { type HandlerOptions, handleRequest } from './handle-request.ts';
import { ProblemLog } from './problem-log.ts';
import type { ProxyOptions } from './proxy-options.ts';
import { connectUpstream } from './upstream-fetch.ts';
import { upstreamSigning } from './upstream-signing.ts';
import { targetOf, type Upstreams } from './upstreams.ts';
import { writeError } from './write-reply.ts';

const noSuchPath =
  'there is no such path; use the base URL http://127.0.0.1:PORT/openai/v1, http://127.0.0.1:PORT/anthropic, http://127.0.0.1:PORT/gemini, http://127.0.0.1:PORT/vertex/v1, http://127.0.0.1:PORT/bedrock or http://127.0.0.1:PORT/ollama';

const loop =
  'the proxy received its own request: the address of the provider is that of the proxy. Check --openai, --chatgpt, --anthropic, --gemini, --vertex, --bedrock, --ollama, OPENAI_BASE_URL, ANTHROPIC_BASE_URL, GOOGLE_GEMINI_BASE_URL, ANTHROPIC_VERTEX_BASE_URL and OLLAMA_HOST where the proxy was started.';

const noWebSocket = 'the proxy does not speak WebSocket; send the request by HTTP, to the same address.';

/** A proxy that is running. */
export interface ContextProxy {
  readonly port: number;
  /** `http://127.0.0.1:4141`. */
  readonly url: string;
  /** The name of the engine. */
  readonly engine: string;
  /** What went wrong so far, such as an engine that failed. */
  readonly problems: ProblemLog;
  /** The open conversations, the most recently used first. */
  readonly conversations: readonly ConversationStats[];
  /** Number of requests that are not answered yet. */
  readonly running: number;
  /** Accepts no further requests, and resolves when the running ones have ended and everything is stored. */
  close(): Promise<void>;
}

/** @throws {PalimpsestError} for an engine that cannot be created @throws {NodeJS.ErrnoException} for a port in use */
export async function startProxy(options: ProxyOptions): Promise<ContextProxy> {
  const windows = await loadModelWindows(options.window);
  const { isDryRun = false, onProblem = () => {} } = options;
  const upstream = connectUpstream();
  const signing = upstreamSigning(upstream.fetch, randomBytes(16).toString('hex'), onProblem);
  const connection = { ...upstream, fetch: signing.fetch };
  // A dry run prepares a copy of each request and sends it nowhere.
  const fetch: FetchFunction = isDryRun ? async () => new Response(null) : connection.fetch;
  // Different for each proxy: one proxy may use another.
  const via = `palimpsest-${randomBytes(4).toString('hex')}`;
  const problems = new ProblemLog(onProblem);
  const { conversations, engine } = await openConversations(options, windows, fetch, problems);
  const status = { engine, problems, addresses: addressesOf(options.upstreams) };
  const server = createServer(
    listener(options.upstreams, status, { conversations, windows, connection, signing, via, isDryRun, onProblem }),
  );
  const running = countRunning(server);
  closeAfterReplies(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const socket = await openSocket(conversations, options);
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    engine,
    problems,
    get conversations() {
      return conversations.stats;
    },
    get running() {
      return running();
    },
    async close() {
      await closeServer(server);
      await socket?.close();
      await conversations.end();
      await connection.close();
    },
  };
}

/** A proxy without its socket still works. */
async function openSocket(
  conversations: Conversations,
  { home, onProblem }: ProxyOptions,
): Promise<SessionSocket | null> {
  if (home === undefined) return null;
  return serveSessions(conversations, home).catch((error: NodeJS.ErrnoException) => {
    onProblem?.(`palimpsest mcp cannot search this proxy: ${error.code ?? error.message}`);
    return null;
  });
}

function addressesOf({ openai, chatgpt, anthropic, gemini, vertex, bedrock, ollama }: Upstreams): string {
  const google = vertex?.href ?? 'Google';
  return `OpenAI: ${openai.href}, ChatGPT: ${chatgpt.href}, Anthropic: ${anthropic.href}, Gemini: ${gemini.href}, Vertex: ${google}, Bedrock: ${typeof bedrock === 'string' ? `Amazon, ${bedrock}` : bedrock.href}, Ollama: ${ollama.href}`;
}

function listener(upstreams: Upstreams, status: ProxyStatus, options: HandlerOptions): RequestListener {
  return (request, response) => {
    const path = request.url ?? '';
    const refused = refusal(request);
    if (refused) return writeError(response, 403, 'forbidden', refused);
    if (hasPassed(request, options.via)) return writeError(response, 508, 'loop_detected', loop);
    if (isStatusPath(path)) return writeStatus(request, response, options.conversations.open, status);
    const target = targetOf(upstreams, path, request.headers);
    if (!target) return writeError(response, 404, 'not_found', noSuchPath);
    if (wantsWebSocket(request)) {
      // Agents such as Codex then use HTTP at once. Any other answer has them try again, for seconds.
      response.setHeader('upgrade', 'HTTP/1.1').setHeader('connection', 'close');
      return writeError(response, 426, 'upgrade_required', noWebSocket);
    }
    void handleRequest(request, response, target, options);
  };
}

/** Counts the requests that are not answered. */
function countRunning(server: Server): () => number {
  let running = 0;
  server.on('request', (_, response: ServerResponse) => {
    running++;
    response.once('close', () => running--);
  });
  return () => running;
}

/** Accepts no further connections, and resolves when the running requests have ended. */
function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
}

/** Closes a connection after its last reply when the server is closing. A client that keeps it alive would delay the end. */
function closeAfterReplies(server: Server): void {
  server.on('request', (_, response: ServerResponse) => {
    response.once('close', () => setImmediate(() => server.listening || server.closeIdleConnections()));
  });
}
