import { describe, expect, it, vi } from 'vitest';
import { contextFetch } from '../../src/fetch.ts';
import type { Session } from '../../src/session.ts';
import { makeSession } from '../make-session.ts';

const begun = [
  { type: 'message_start', message: { role: 'assistant', content: [], usage: { input_tokens: 4_711 } } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);

/** A fetch whose answer breaks off after some chunks. */
function broken(session: Session, given: readonly string[]) {
  const chunks = [...given];
  const body = () =>
    new ReadableStream<Uint8Array>({
      pull(controller) {
        const chunk = chunks.shift();
        if (chunk === undefined) controller.error(new TypeError('terminated'));
        else controller.enqueue(new TextEncoder().encode(chunk));
      },
    });
  return contextFetch(session, {
    fetch: async () => new Response(body(), { headers: { 'content-type': 'text/event-stream' } }),
  });
}

const tools = [{ name: 'look', input_schema: { type: 'object' } }];

describe.each([
  ['without tools', {}, false],
  ['with tools and a search', { tools }, true],
])('an answer that breaks off, %s', (_, fields, recall) => {
  const body = JSON.stringify({
    model: 'm',
    stream: true,
    max_tokens: 100,
    messages: [{ role: 'user', content: 'Hello.' }],
    ...fields,
  });
  const url = 'https://api.anthropic.com/v1/messages';
  const readAll = async (session: Session, chunks: readonly string[]): Promise<string> =>
    (await broken(session, chunks)(url, { method: 'POST', body })).text();

  it('reports what it had reported until then', async () => {
    const { session } = makeSession({ recall });
    await expect(readAll(session, begun)).rejects.toThrow('terminated');
    expect((await session.engine()).state.lastPromptTokens).toBe(4_711);
  });

  it('is no answer if it reported nothing', async () => {
    const { session } = makeSession({ recall });
    const answered = vi.spyOn(session, 'afterResponse');
    await expect(readAll(session, [': ping\n\n'])).rejects.toThrow('terminated');
    expect(answered).not.toHaveBeenCalled();
  });
});
