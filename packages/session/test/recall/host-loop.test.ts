import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type LoopbackServer, startLoopbackServer } from '../../../../test/loopback-server/index.ts';
import { contextFetch } from '../../src/fetch.ts';
import { filler, makeSession, type TestSession } from '../make-session.ts';

let server: LoopbackServer;
let made: TestSession;
beforeAll(async () => {
  server = await startLoopbackServer();
});
beforeEach(() => {
  made = makeSession({ recall: true });
  server.play([
    { kind: 'answer', text: '', calls: [{ id: 'r1', name: 'recall', arguments: '{"query":"3:5 const value_5"}' }] },
    { kind: 'answer', text: 'It is 35.' },
  ]);
});
afterAll(() => server.close());

const old = Array.from({ length: 30 }, (_, index) => [
  { role: 'user' as const, content: `Show file ${index}.` },
  { role: 'assistant' as const, content: filler(200, index) },
]).flat();
const question = { role: 'user' as const, content: 'What is value_5 of file 3?' };

function expectFound(): void {
  expect(server.received.flatMap(({ problems }) => problems)).toEqual([]);
  expect(server.received[1]!.text).toContain('3:5 const value_5 = compute(35);');
}

it('a host on chat completions declares the tools and answers the calls itself', async () => {
  const { session } = made;
  const client = new OpenAI({ apiKey: 'test', baseURL: server.openaiUrl, fetch: contextFetch(session) });
  const tools = [...(await session.tools())] as OpenAI.ChatCompletionTool[];
  const messages: OpenAI.ChatCompletionMessageParam[] = [...old, question];
  const { message } = (await client.chat.completions.create({ model: 'm', messages, tools })).choices[0]!;
  messages.push(message);
  for (const call of message.tool_calls ?? [])
    if (call.type === 'function') {
      const content = await session.callTool(call.function.name, call.function.arguments);
      messages.push({ role: 'tool', tool_call_id: call.id, content });
    }
  await client.chat.completions.create({ model: 'm', messages, tools });
  expectFound();
});

it('a host on Responses does the same', async () => {
  const { session } = made;
  const client = new OpenAI({ apiKey: 'test', baseURL: server.openaiUrl, fetch: contextFetch(session) });
  const tools = await session.tools('openai-responses');
  const input: OpenAI.Responses.ResponseInputItem[] = [...old, question];
  const { output } = await client.responses.create({ model: 'm', input, tools, store: false });
  for (const item of output) {
    if (item.type !== 'function_call') continue;
    const answer = await session.callTool(item.name, item.arguments);
    input.push(item, { type: 'function_call_output', call_id: item.call_id, output: answer });
  }
  await client.responses.create({ model: 'm', input, tools, store: false });
  expectFound();
});

it('a host on Anthropic does the same', async () => {
  const { session } = made;
  const client = new Anthropic({ apiKey: 'test', baseURL: server.anthropicUrl, fetch: contextFetch(session) });
  const tools = await session.tools('anthropic');
  const messages: Anthropic.MessageParam[] = [...old, question];
  const body = { model: 'm', max_tokens: 500, messages, tools };
  const { content } = await client.messages.create(body);
  messages.push({ role: 'assistant', content });
  for (const block of content)
    if (block.type === 'tool_use') {
      const answer = await session.callTool(block.name, block.input as Record<string, unknown>);
      messages.push({ role: 'user', content: [{ type: 'tool_result', tool_use_id: block.id, content: answer }] });
    }
  await client.messages.create(body);
  expectFound();
});
