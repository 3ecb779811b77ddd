import { expect, it } from 'vitest';
import { contextFetch } from '../../src/fetch.ts';
import { makeSession } from '../make-session.ts';

const begun = [
  { type: 'message_start', message: { role: 'assistant', content: [], usage: { input_tokens: 4_711 } } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);

it('an answer that breaks off in the middle reports what it had reported until then', async () => {
  const { session } = makeSession();
  const chunks = [...begun];
  const body = () =>
    new ReadableStream<Uint8Array>({
      pull(controller) {
        const chunk = chunks.shift();
        if (chunk === undefined) controller.error(new TypeError('terminated'));
        else controller.enqueue(new TextEncoder().encode(chunk));
      },
    });
  const send = contextFetch(session, {
    fetch: async () => new Response(body(), { headers: { 'content-type': 'text/event-stream' } }),
  });
  const asked = { model: 'm', stream: true, max_tokens: 100, messages: [{ role: 'user', content: 'Hello.' }] };
  const reply = await send('https://api.anthropic.com/v1/messages', { method: 'POST', body: JSON.stringify(asked) });
  await expect(reply.text()).rejects.toThrow('terminated');
  expect((await session.engine()).state.lastPromptTokens).toBe(4_711);
});
