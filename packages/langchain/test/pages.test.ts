import { AIMessage, HumanMessage } from '@langchain/core/messages';
import { ChatOpenAI } from '@langchain/openai';
import { createAgent, tool } from 'langchain';
import { expect, it } from 'vitest';
import { suiteSession } from '../../../test/adapter-suite/suite-agent.ts';
import { startLoopbackServer } from '../../../test/loopback-server/index.ts';
import { agentMiddleware } from '../src/index.ts';

it('does not stream a page to the user of the agent', async () => {
  const server = await startLoopbackServer();
  const session = suiteSession({ window: 24_000, threshold: 0.3, summaries: 'model' });
  const page = 'Port 4711 is taken.';
  const written = new Promise<void>((resolve) => {
    session.on(({ type }) => type === 'summary-end' && resolve());
  });
  let answers = 0;
  server.play((request) => {
    const usage = { promptTokens: 9_000, cachedTokens: 8_900, completionTokens: 9 };
    if (request.text.includes('Stop the work for this one message.')) {
      const headings = [...request.text.matchAll(/^## (.+)\n\(/gm)].map(([, heading]) => heading);
      return { kind: 'answer', text: headings.map((heading) => `## ${heading}\n${page}`).join('\n\n'), ...usage };
    }
    const calls = [{ id: 'call_1', name: 'wait', arguments: '{}' }];
    return answers++ === 0 ? { kind: 'answer', text: 'First.', calls, ...usage } : { kind: 'answer', text: 'Last.' };
  });
  const wait = tool(() => written.then(() => 'Done.'), {
    name: 'wait',
    description: 'Waits for the page.',
    schema: { type: 'object', properties: {} },
  });
  const agent = createAgent({
    model: new ChatOpenAI({ model: 'm', apiKey: 'test', configuration: { baseURL: server.openaiUrl }, maxRetries: 0 }),
    tools: [wait],
    middleware: [await agentMiddleware(session)],
  });
  const messages = Array.from({ length: 40 }, (_, at) => [
    new HumanMessage(`Request ${at}: ${'please look at it. '.repeat(25)}`),
    new AIMessage(`Answer ${at}. ${'It is there. '.repeat(25)}`),
  ]).flat();
  let streamed = '';
  const stream = await agent.stream(
    { messages: [...messages, new HumanMessage('And now?')] },
    { streamMode: 'messages' },
  );
  for await (const [chunk] of stream) streamed += chunk.text;
  expect(server.received.flatMap(({ problems }) => problems)).toEqual([]);
  expect(server.received.length).toBe(3);
  expect(server.received[2]!.text).toContain(page);
  expect(streamed).toContain('First.');
  expect(streamed).toContain('Last.');
  expect(streamed).not.toContain(page);
  await session.end();
  await server.close();
});
