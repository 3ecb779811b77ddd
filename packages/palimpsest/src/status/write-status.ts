import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Conversation } from '../conversations/conversation.ts';
import { type ProxyStatus, pausedPath, statusPage, statusPagePolicy } from './status-page.ts';

/** Seconds after which a browser loads the page again. */
const refreshSeconds = 5;

/** True for a path of the status page. */
export function isStatusPath(path: string): boolean {
  return path === '/' || path === pausedPath;
}

/** Answers with the status of the proxy: a page, or JSON for a client that asks for it. */
export function writeStatus(
  request: IncomingMessage,
  response: ServerResponse,
  conversations: readonly Pick<Conversation, 'stats' | 'shown'>[],
  status: ProxyStatus,
): void {
  const isJson = /\bapplication\/json\b/.test(request.headers.accept ?? '');
  const isLive = request.url !== pausedPath;
  response.writeHead(200, {
    'content-type': isJson ? 'application/json' : 'text/html; charset=utf-8',
    'content-security-policy': statusPagePolicy,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    ...(isLive && !isJson ? { refresh: `${refreshSeconds}` } : {}),
  });
  response.end(
    isJson
      ? JSON.stringify({
          version: 1,
          engine: status.engine,
          problems: status.problems.summary,
          conversations: conversations.map(({ stats }) => stats),
        })
      : statusPage(conversations, status, isLive),
  );
}
