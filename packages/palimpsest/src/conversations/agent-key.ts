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

/**
 * A key of what an agent says about its session, as a hash. Two requests with different keys never share a conversation;
 * two with the same key may still be different ones, such as a sub-agent's.
 */
export function agentKey(headers: IncomingHttpHeaders, body: Readonly<Record<string, unknown>>): string {
  const { metadata, prompt_cache_key: cacheKey } = body;
  const said = [...sessionHeaders.map((name) => headers[name]), metadata, cacheKey];
  return createHash('sha256').update(JSON.stringify(said)).digest('base64').slice(0, 20);
}
