import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** Headers in which agents name a session: Claude Code, opencode, Codex, pi. */
const sessionHeaders: readonly string[] = [
  'x-claude-code-session-id',
  'x-opencode-session',
  'x-session-affinity',
  'session_id',
  'session-id',
  'conversation_id',
  'thread-id',
  'x-session-id',
];

/** Fields of `metadata` in which agents name a session. Others may change with each request. */
const sessionFields: readonly string[] = ['user_id', 'session_id', 'conversation_id', 'thread_id'];

/**
 * Returns a hash of what an agent says about its session. Requests with different keys never share a conversation.
 * Requests with the same key may still belong to different ones, such as a sub-agent's.
 */
export function agentKey(headers: IncomingHttpHeaders, body: Readonly<Record<string, unknown>>): string {
  const metadata = (body.metadata ?? {}) as Readonly<Record<string, unknown>>;
  const said = [
    ...sessionHeaders.map((name) => headers[name]),
    ...sessionFields.map((name) => metadata[name]),
    body.prompt_cache_key,
  ];
  return createHash('sha256').update(JSON.stringify(said)).digest('base64').slice(0, 20);
}
