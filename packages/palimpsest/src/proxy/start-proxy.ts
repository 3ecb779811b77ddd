import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { RequestListener, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { CliError } from '@palimpsest/command-line/cli-error';
import { createRegistry } from '@palimpsest/registry';
import { nodeResolver } from '@palimpsest/registry/config';
import type { FetchFunction } from '@palimpsest/session/fetch';
import { loadModelCounter } from '@palimpsest/tokens/images';
import type { ConversationStats } from '../conversations/conversation-stats.ts';
import type { Conversations } from '../conversations/conversations.ts';
import { openConversations, type ProxyServices } from '../conversations/open-conversations.ts';
import { loadModelWindows } from '../library/model-windows.ts';
import { LiveServer } from '../live/serve-live-view.ts';
import { type SessionSocket, serveSessions } from '../live-sessions/serve-sessions.ts';
import { hasPassed, isOfLivePage, wantsWebSocket, webPageRefusal } from './access.ts';
import type { ProxyObserver } from './events/proxy-event.ts';
import { RequestReporter } from './events/request-reporter.ts';
import { type HandlerOptions, handleRequest } from './handle-request.ts';
import { ProblemLog } from './problem-log.ts';
import type { ProxyOptions } from './proxy-options.ts';
import { liveFailed, loop, noSuchPath, noWebSocket, type Refusal } from './refusals.ts';
import { withoutServedEdits } from './served-compaction/carry-out-edits.ts';
import { ServedAddresses } from './served-compaction/served-addresses.ts';
import { ServedCompaction } from './served-compaction/served-compaction.ts';
import { createLimitedServer, defaultServerLimits } from './serving/create-limited-server.ts';
import { writeHealth } from './serving/health.ts';
import { isLoopback, urlOf } from './serving/listen-address.ts';
import { RunningBytes } from './serving/running-bytes.ts';
import { admit } from './tenants/admit.ts';
import { connectUpstream } from './upstream-fetch.ts';
import { upstreamSigning } from './upstream-signing.ts';
import { targetOf, type Upstreams } from './upstreams.ts';
import { writeError } from './write-reply.ts';

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
  /** True from the call of `close` on. */
  readonly isDraining: boolean;
  /**
   * Accepts no further requests, and resolves when the running ones have ended and everything is stored.
   * @param withinMs milliseconds after which running requests are broken off
   * @param afterMs milliseconds in which further requests are still accepted, while `/readyz` says that they should not come
   */
  close(withinMs?: number, afterMs?: number): Promise<void>;
}

/**
 * @throws {PalimpsestError} for an engine that cannot be created @throws {NodeJS.ErrnoException} for a port in use
 * @throws {CliError} for an address that other machines reach, without tenants
 */
export async function startProxy(options: ProxyOptions): Promise<ContextProxy> {
  const { host = '127.0.0.1', tenants } = options;
  if (!tenants && !isLoopback({ host }))
    throw CliError.badUsage(`other machines can reach ${host}; say who may use the proxy with --tokens`);
  const { isObserving = false, onProblem = () => {} } = options;
  const upstream = connectUpstream();
  const signing = upstreamSigning(upstream.fetch, randomBytes(16).toString('hex'), onProblem);
  const services = await loadServices(options);
  const { windows } = services;
  const served = new ServedAddresses(options.compaction === 'serve' && !isObserving);
  const compaction = createCompaction(options, services, { fetch: signing.fetch, served });
  const connection = { ...upstream, fetch: withoutServedEdits(signing.fetch, served, services.tokens) };
  // While observing, a copy of each request is prepared and sent nowhere.
  const fetch: FetchFunction = isObserving ? async () => new Response(null) : connection.fetch;
  // Different for each proxy: one proxy may use another.
  const via = `palimpsest-${randomBytes(4).toString('hex')}`;
  const observe: ProxyObserver = options.onEvent ?? (() => undefined);
  const problems = new ProblemLog({ report: onProblem, observe }, options.store?.place);
  const reporter = new RequestReporter(observe, connection);
  const { conversations, engine } = await openConversations(options, { ...services, fetch, problems });
  const live = new LiveServer(conversations, {
    engine,
    problems,
    isObserving,
    addresses: addressesOf(options.upstreams),
    now: options.now ?? Date.now,
  });
  let isDraining = false;
  const { serverLimits = defaultServerLimits } = options;
  const runningBytes = new RunningBytes(serverLimits.maxRunningBytes);
  const common = { conversations, windows, connection, compaction, signing, reporter, onProblem };
  const handler: HandlerOptions = { ...common, via, isObserving, runningBytes };
  const server = createLimitedServer(
    listener(options, live, handler, () => isDraining),
    serverLimits,
    (client, refusal) => reporter.noteRefusal({ tenant: null, client }, refusal),
  );
  const running = countRunning(server);
  closeAfterReplies(server, running);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const socket = await openSocket(conversations, live, options);
  return {
    port,
    url: urlOf({ host, port }),
    engine,
    problems,
    get conversations() {
      return conversations.stats;
    },
    get running() {
      return running();
    },
    get isDraining() {
      return isDraining;
    },
    async close(withinMs, afterMs = 0) {
      isDraining = true;
      if (afterMs > 0) await setTimeout(afterMs);
      await closeServer(server, running, withinMs);
      await socket?.close();
      await conversations.end();
      await connection.close();
    },
  };
}

type Services = Pick<ProxyServices, 'registry' | 'tokens' | 'windows'>;

async function loadServices({ configFile, directory, window }: ProxyOptions): Promise<Services> {
  const registry = createRegistry({ resolve: nodeResolver({ directory, allowOutside: true }), configFile });
  return { registry, tokens: await loadModelCounter(), windows: await loadModelWindows(window) };
}

function createCompaction(
  { config, onProblem = () => {}, summaries = 'model' }: ProxyOptions,
  { registry, tokens }: Services,
  { fetch, served }: { readonly fetch: FetchFunction; readonly served: ServedAddresses },
): ServedCompaction {
  return new ServedCompaction({ registry, tokens, config, summaries, fetch, onProblem }, served);
}

/** The proxy also works without its socket. */
async function openSocket(
  conversations: Conversations,
  live: LiveServer,
  { home, tenants, onProblem }: ProxyOptions,
): Promise<SessionSocket | null> {
  // It shows the text of all conversations.
  if (home === undefined || tenants) return null;
  return serveSessions(conversations, live, home).catch((error: NodeJS.ErrnoException) => {
    onProblem?.(`palimpsest mcp and top cannot find this proxy: ${error.code ?? error.message}`);
    return null;
  });
}

function addressesOf({ openai, chatgpt, anthropic, gemini, vertex, bedrock, ollama }: Upstreams): string {
  const google = vertex?.href ?? 'Google';
  return `OpenAI: ${openai.href}, ChatGPT: ${chatgpt.href}, Anthropic: ${anthropic.href}, Gemini: ${gemini.href}, Vertex: ${google}, Bedrock: ${typeof bedrock === 'string' ? `Amazon, ${bedrock}` : bedrock.href}, Ollama: ${ollama?.href ?? 'none'}`;
}

function listener(
  { tenants, upstreams }: Pick<ProxyOptions, 'tenants' | 'upstreams'>,
  live: LiveServer,
  options: HandlerOptions,
  isDraining: () => boolean,
): RequestListener {
  return (request, response) => {
    const path = request.url ?? '';
    if (writeHealth(path, response, isDraining())) return;
    const refuse = (refused: Refusal, tenant: string | null = null): void => {
      options.reporter.noteRefusal({ tenant, client: request.socket.remoteAddress }, refused);
      writeError(response, refused);
    };
    // It shows the conversations of all tenants.
    const isLive = !tenants && live.serves(path);
    const forbidden = isLive && isOfLivePage(request) ? null : webPageRefusal(request, tenants !== undefined);
    if (forbidden) return refuse({ status: 403, type: 'forbidden', message: forbidden });
    if (hasPassed(request, options.via)) return refuse(loop);
    if (isLive) return void live.answer(request, response).catch(() => writeError(response, liveFailed));
    const target = targetOf(upstreams, path, request.headers);
    if (!target) return refuse(noSuchPath);
    if (wantsWebSocket(request)) {
      // Agents such as Codex then use HTTP at once. After any other answer, they try again for seconds.
      response.setHeader('upgrade', 'HTTP/1.1').setHeader('connection', 'close');
      return refuse(noWebSocket);
    }
    const admitted = admit(tenants, request, target);
    if ('refused' in admitted) return refuse(admitted.refused, admitted.tenant);
    void handleRequest(request, response, { caller: admitted.caller, target }, options);
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

/** Accepts no further connections, and resolves when the running requests have ended, or are broken off. */
async function closeServer(server: Server, running: () => number, withinMs?: number): Promise<void> {
  const ended = new AbortController();
  if (withinMs !== undefined)
    setTimeout(withinMs, null, { signal: ended.signal }).then(
      () => server.closeAllConnections(),
      () => undefined,
    );
  const closed = once(server, 'close');
  server.close();
  closeUnused(server, running);
  await closed;
  ended.abort();
}

/** Closes connections without a request. One that never sent anything does not count as idle. */
function closeUnused(server: Server, running: () => number): void {
  if (running() === 0) server.closeAllConnections();
  else server.closeIdleConnections();
}

/** Closes a connection after its last reply when the server is closing. A client that keeps it alive would delay the end. */
function closeAfterReplies(server: Server, running: () => number): void {
  server.on('request', (_, response: ServerResponse) => {
    response.once('close', () => setImmediate(() => server.listening || closeUnused(server, running)));
  });
}
