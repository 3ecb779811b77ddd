import Anthropic from '@anthropic-ai/sdk';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type LoopbackServer, startLoopbackServer } from '../../../../test/loopback-server/index.ts';
import { contextFetch } from '../../src/fetch.ts';
import { filler, makeSession } from '../make-session.ts';

let server: LoopbackServer;
beforeAll(async () => {
  server = await startLoopbackServer();
});
afterAll(() => server.close());

it('a session behind a fetch tells what became of the messages of an Anthropic client', async () => {
  const { session } = makeSession();
  const client = new Anthropic({
    apiKey: 'test',
    baseURL: server.anthropicUrl,
    fetch: contextFetch(session),
    maxRetries: 0,
  });
  server.play(() => ({ kind: 'answer', text: 'An answer.', promptTokens: 900, completionTokens: 7 }));
  const messages: Anthropic.MessageParam[] = [];
  for (let index = 0; index < 40; index++)
    messages.push(
      { role: 'user', content: `Request ${index}: please look at file ${index}.` },
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: `call_${index}`, name: 'read_file', input: { path: `src/${index}.ts` } }],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: `call_${index}`, content: filler(200, index) }] },
      { role: 'assistant', content: `File ${index} computes values.` },
    );
  messages.push({ role: 'user', content: 'And now?' });
  await client.messages.create({ model: 'test-model', max_tokens: 100, system: 'You are a coding agent.', messages });
  const { handoffs, messages: told } = await session.inspect();
  expect(handoffs).toHaveLength(1);
  const asked = told.find(({ before }) => before.startsWith('Request 30:'))!;
  expect(asked.outcome).toBe('summarized');
  expect(asked.lines.map(({ text }) => text)).toContainEqual(expect.stringContaining('Request 30: please look'));
  expect(told.at(-1)).toMatchObject({ before: 'And now?', after: 'And now?' });
  expect(server.received.flatMap(({ problems }) => problems)).toEqual([]);
});
