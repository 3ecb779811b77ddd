import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type LoopbackServer, startLoopbackServer } from '../../../../test/loopback-server/index.ts';
import { type RunningProxy, runningProxy } from './running-proxy.ts';

let server: LoopbackServer;
let running: RunningProxy;
beforeAll(async () => {
  server = await startLoopbackServer();
  running = await runningProxy(server, { window: 16_000 });
});
afterAll(async () => {
  await running.proxy.close();
  await server.close();
});

const long = (at: number): string => `Note ${at}. ${`line ${at} of the file; `.repeat(150)}`;

it('a request of a ChatGPT login reaches the service for logins, compacted, with its account', async () => {
  server.play(() => ({ kind: 'answer', text: 'Done.', promptTokens: 10, completionTokens: 2 }));
  const openai = new OpenAI({
    apiKey: 'chatgpt-token',
    baseURL: `${running.proxy.url}/openai/v1`,
    defaultHeaders: { 'chatgpt-account-id': 'account-1' },
    maxRetries: 0,
  });
  const tools = [
    { type: 'function' as const, name: 'read_file', parameters: { type: 'object' as const }, strict: false },
  ];
  const input = Array.from({ length: 40 }, (_, at) => ({
    role: at % 2 ? ('assistant' as const) : ('user' as const),
    content: long(at),
  }));
  input.push({ role: 'user', content: 'What is left?' });
  for await (const _ of await openai.responses.create({ model: 'm', input, tools, store: false, stream: true }));
  const [{ headers, path, problems, raw }] = server.received as [(typeof server.received)[number]];
  expect([path, problems]).toEqual(['/backend-api/codex/responses', []]);
  expect([headers.authorization, headers['chatgpt-account-id']]).toEqual(['Bearer chatgpt-token', 'account-1']);
  expect(raw.length).toBeLessThan(JSON.stringify(input).length / 2);
  expect(raw).toContain('What is left?');
});

it('a request of a Claude subscription keeps its token, its headers and its first system text', async () => {
  server.play(() => ({ kind: 'answer', text: 'Done.', promptTokens: 10, completionTokens: 2 }));
  const anthropic = new Anthropic({
    authToken: 'sk-ant-oat01-test',
    apiKey: null,
    baseURL: `${running.proxy.url}/anthropic`,
    defaultHeaders: { 'anthropic-beta': 'oauth-2025-04-20' },
    maxRetries: 0,
  });
  const messages = Array.from({ length: 40 }, (_, at) => ({
    role: at % 2 ? ('assistant' as const) : ('user' as const),
    content: long(at),
  }));
  messages.push({ role: 'user', content: 'What is left?' });
  await anthropic.messages.create({
    model: 'm',
    max_tokens: 1_000,
    system: "You are Claude Code, Anthropic's official CLI for Claude.",
    messages,
    tools: [{ name: 'read_file', input_schema: { type: 'object' } }],
  });
  const [{ headers, problems, raw }] = server.received as [(typeof server.received)[number]];
  expect(problems).toEqual([]);
  expect([headers.authorization, headers['anthropic-beta']]).toEqual(['Bearer sk-ant-oat01-test', 'oauth-2025-04-20']);
  expect(headers['x-api-key']).toBeUndefined();
  expect(raw.length).toBeLessThan(JSON.stringify(messages).length / 2);
});
