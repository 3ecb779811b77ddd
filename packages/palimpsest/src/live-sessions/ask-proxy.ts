import { Agent, request } from 'undici';

/** Milliseconds that a proxy may take to answer, and to compact with a summary by a model. */
const maxMs = { GET: 10_000, POST: 300_000 } as const;

/**
 * Asks a running proxy on its socket.
 * @param socketPath one of `socketsIn`
 * @throws {Error} if it does not answer, or has no such conversation
 */
export async function askProxy<Answer>(
  socketPath: string,
  path: string,
  method: 'GET' | 'POST' = 'GET',
): Promise<Answer> {
  const timeout = maxMs[method];
  const dispatcher = new Agent({ connect: { socketPath }, headersTimeout: timeout, bodyTimeout: timeout });
  try {
    const headers = { accept: 'application/json' };
    const { statusCode, body } = await request(`http://localhost${path}`, { dispatcher, method, headers });
    if (statusCode !== 200)
      throw new Error('This session is no longer open in its proxy. list_sessions names the others.');
    return (await body.json()) as Answer;
  } finally {
    await dispatcher.destroy();
  }
}
