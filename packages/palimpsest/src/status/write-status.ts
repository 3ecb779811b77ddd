import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ConversationStats } from '../conversations/conversation-stats.ts';
import { statusPage, statusPagePolicy } from './status-page.ts';

/** Answers with the status of the proxy: a page, or JSON for a client that asks for it. */
export function writeStatus(
  request: IncomingMessage,
  response: ServerResponse,
  conversations: readonly ConversationStats[],
  title: string,
): void {
  const isJson = /\bapplication\/json\b/.test(request.headers.accept ?? '');
  response.writeHead(200, {
    'content-type': isJson ? 'application/json' : 'text/html; charset=utf-8',
    'content-security-policy': statusPagePolicy,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  });
  response.end(isJson ? JSON.stringify({ version: 1, conversations }) : statusPage(conversations, title));
}
