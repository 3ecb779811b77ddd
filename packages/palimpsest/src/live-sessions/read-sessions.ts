import { printable } from '@palimpsest/command-line/printable';
import type { FoundSession } from '../mcp/find-recorded-sessions.ts';
import { askProxy } from './ask-proxy.ts';
import type { ListedSession, SessionText } from './serve-sessions.ts';
import { socketFolder, socketsIn } from './socket-folder.ts';

/** The conversations of all running proxies of a user. A proxy that does not answer is skipped. @param home the user's home folder */
export async function readSessions(home: string): Promise<readonly FoundSession[]> {
  const paths = await socketsIn(socketFolder(home));
  const found = await Promise.all(
    paths.map(async (path) => {
      const sessions = await askProxy<readonly ListedSession[]>(path, '/sessions').catch(() => []);
      return sessions.map((session) => toFoundSession(path, session));
    }),
  );
  return found.flat();
}

function toFoundSession(path: string, { id, agent, model, requests, lastUsed }: ListedSession): FoundSession {
  const name = `proxy/${printable(agent.replace(/ .*/, ''), 40) || 'agent'}/${printable(model, 40)}/${id}`;
  return {
    name,
    changed: lastUsed,
    version: `${requests} ${lastUsed}`,
    messages: async () => (await askProxy<SessionText>(path, `/sessions/${id}`)).messages,
  };
}
