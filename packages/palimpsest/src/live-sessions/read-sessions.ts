import { printable } from '@palimpsest/command-line/printable';
import { Agent, request } from 'undici';
import type { FoundSession } from '../mcp/find-recorded-sessions.ts';
import type { ListedSession, SessionText } from './serve-sessions.ts';
import { socketFolder, socketsIn } from './socket-folder.ts';

/** Milliseconds that a proxy may take to answer. */
const maxMs = 10_000;

/** The conversations of all running proxies of a user. A proxy that does not answer is skipped. @param home the user's home folder */
export async function readSessions(home: string): Promise<readonly FoundSession[]> {
  const paths = await socketsIn(socketFolder(home));
  const found = await Promise.all(
    paths.map(async (path) => {
      const sessions = await read<readonly ListedSession[]>(path, '/sessions').catch(() => []);
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
    messages: async () => (await read<SessionText>(path, `/sessions/${id}`)).messages,
  };
}

async function read<Answer>(socketPath: string, path: string): Promise<Answer> {
  const dispatcher = new Agent({ connect: { socketPath }, headersTimeout: maxMs, bodyTimeout: maxMs });
  try {
    const { statusCode, body } = await request(`http://localhost${path}`, { dispatcher });
    if (statusCode !== 200)
      throw new Error('This session is no longer open in its proxy. list_sessions names the others.');
    return (await body.json()) as Answer;
  } finally {
    await dispatcher.destroy();
  }
}
