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

/** The key of an agent that does not name its session. */
export const unnamedKey: string = agentKey({}, []);

/**
 * Returns a hash of what an agent says about its session. Requests with different keys never share a conversation.
 * Requests with the same key may still belong to different ones, such as a sub-agent's.
 * @param identity what the body says about it
 */
export function agentKey(headers: IncomingHttpHeaders, identity: readonly unknown[]): string {
  const said = [...sessionHeaders.map((name) => headers[name]), ...identity.filter((name) => name !== undefined)];
  return createHash('sha256').update(JSON.stringify(said)).digest('base64').slice(0, 20);
}
