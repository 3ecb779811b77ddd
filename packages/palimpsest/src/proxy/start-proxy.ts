import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ContextConfig, createEngineHost, createRegistry } from '@palimpsest/registry';
import { nodeResolver } from '@palimpsest/registry/config';
import type { Conversation } from '../conversations/conversation.ts';
import type { ConversationStats } from '../conversations/conversation-stats.ts';
import { conversationStore } from '../conversations/conversation-store.ts';
import { type ConversationLimits, Conversations, defaultLimits } from '../conversations/conversations.ts';
import { sessionMaker } from '../conversations/session-maker.ts';
import { loadModelWindows } from '../library/model-windows.ts';
import { refusal } from './access.ts';
import { handleRequest } from './handle-request.ts';
import { connectUpstream } from './upstream-fetch.ts';
import { targetOf, type Upstreams } from './upstreams.ts';
import { writeError } from './write-reply.ts';

export interface ProxyOptions {
  readonly upstreams: Upstreams;
  /** 0 for any free port. */
  readonly port: number;
  /** The engine and its options. */
  readonly config: ContextConfig;
  /** The project folder, where engines and packages are looked for. */
  readonly directory: string;
  /** The largest window to use, and the one of models that are not known. Tokens. */
  readonly window?: number | undefined;
  readonly isDryRun?: boolean | undefined;
  /** The folder in which conversations outlive a restart. @default memory */
  readonly state?: string | undefined;
  readonly limits?: ConversationLimits | undefined;
  /** Called after each compaction. */
  readonly onCompaction?: ((conversation: ConversationStats) => void) | undefined;
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: (() => number) | undefined;
}

/** A proxy that is running. */
export interface Proxy {
  readonly port: number;
  /** `http://127.0.0.1:4141`. */
  readonly url: string;
  /** The open conversations, the most recently used first. */
  readonly conversations: readonly ConversationStats[];
  /** Accepts no further requests, and resolves when the running ones have ended and everything is stored. */
  close(): Promise<void>;
}

/** @throws {PalimpsestError} for an engine that cannot be created @throws {NodeJS.ErrnoException} for a port in use */
export async function startProxy(options: ProxyOptions): Promise<Proxy> {
  const now = options.now ?? Date.now;
  const registry = createRegistry({ resolve: nodeResolver({ directory: options.directory, allowOutside: true }) });
  // Reports a mistake in the configuration at the start.
  await registry.create(options.config, createEngineHost());
  const windows = await loadModelWindows(options.window);
  const connection = connectUpstream();
  const isDryRun = options.isDryRun ?? false;
  const store = options.state === undefined || isDryRun ? null : conversationStore(options.state, now);
  const compacted = async (conversation: Conversation): Promise<void> => {
    const { stored } = conversation;
    await store?.write(stored);
    if (store) conversations.noteStored(stored);
    options.onCompaction?.(conversation.stats);
  };
  const maker = sessionMaker({
    registry,
    config: options.config,
    windows,
    // A dry run prepares a copy of each request and sends it nowhere.
    fetch: isDryRun ? async () => new Response(null) : connection.fetch,
    store: store?.sessions,
    compacted,
    now,
  });
  const conversations: Conversations = new Conversations(
    maker,
    options.limits ?? defaultLimits,
    (await store?.read()) ?? [],
  );
  const server = createServer((request, response) => {
    const refused = refusal(request);
    if (refused) return writeError(response, 403, 'forbidden', refused);
    const target = targetOf(options.upstreams, request.url ?? '');
    if (!target)
      return writeError(
        response,
        404,
        'not_found',
        'there is no such path; use /openai/v1 or /anthropic as the base URL',
      );
    void handleRequest(request, response, target, { conversations, windows, connection, isDryRun });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    get conversations() {
      return conversations.stats;
    },
    async close() {
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeIdleConnections();
      });
      await conversations.end();
      await connection.close();
    },
  };
}
