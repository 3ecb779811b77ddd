import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { Message } from '@palimpsest/core';
import type { Conversation } from '../conversations/conversation.ts';
import type { Conversations } from '../conversations/conversations.ts';
import { messagesOf } from '../conversations/read-conversation.ts';
import type { LiveServer } from '../live/serve-live-view.ts';
import { prepareSocketFolder, socketFolder, socketPath } from './socket-folder.ts';

/** A conversation of a running proxy, as it is listed on its socket. */
export interface ListedSession {
  readonly id: string;
  readonly agent: string;
  readonly model: string;
  readonly requests: number;
  /** Milliseconds since the epoch. */
  readonly lastUsed: number;
}

/** The text of a conversation: the history of its newest request. */
export interface SessionText {
  readonly messages: readonly Message[];
}

/** The socket of a running proxy. */
export interface SessionSocket {
  close(): Promise<void>;
}

/**
 * Serves the conversations of a proxy on a Unix socket, for `palimpsest mcp`, and its live view, for `palimpsest top`. The
 * socket is in a folder that only its owner can open, and web pages cannot reach it.
 * @param home the user's home folder
 * @returns `null` on Windows, which has no such sockets
 */
export async function serveSessions(
  conversations: Conversations,
  live: LiveServer,
  home: string,
): Promise<SessionSocket | null> {
  if (process.platform === 'win32') return null;
  const folder = socketFolder(home);
  await prepareSocketFolder(folder);
  const path = socketPath(folder, randomBytes(4).toString('hex'));
  const server = createServer(listener(conversations, live)).listen(path);
  await once(server, 'listening');
  await chmod(path, 0o600);
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listener(conversations: Conversations, live: LiveServer): RequestListener {
  return (request, response) => {
    const { url = '' } = request;
    if (live.serves(url)) return void live.answer(request, response, true).catch(() => response.destroy());
    const answer = answerTo(url, conversations.searchable);
    response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer));
  };
}

function answerTo(url: string, open: readonly Conversation[]): readonly ListedSession[] | SessionText | null {
  if (url === '/sessions') return open.map(({ stats }) => toListed(stats));
  const newest = open.find(({ id }) => url === `/sessions/${id}`)?.newest;
  const messages = newest && messagesOf(newest);
  return messages ? { messages } : null;
}

function toListed({ id, agent, model, requests, lastUsed }: ListedSession): ListedSession {
  return { id, agent, model, requests, lastUsed };
}
