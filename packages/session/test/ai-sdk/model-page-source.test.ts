import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Behaviour, type LoopbackServer, startLoopbackServer } from '../../../../test/loopback-server/index.ts';
import { modelPageSource } from '../../src/ai-sdk/model-page-source.ts';

let server: LoopbackServer;
beforeAll(async () => {
  server = await startLoopbackServer();
});
afterAll(() => server.close());

const models = () => ({
  chat: createOpenAI({ apiKey: 'test', baseURL: server.openaiUrl }).chat('m'),
  anthropic: createAnthropic({ apiKey: 'test', baseURL: `${server.anthropicUrl}/v1` })('m'),
});
const { signal } = new AbortController();
const prompt = [{ role: 'user', content: [{ type: 'text', text: 'Read a.ts.' }] }];
const tools = [{ type: 'function', name: 'read_file', inputSchema: { type: 'object', properties: {} } }];
const sent = { prompt, tools, maxOutputTokens: 500 };
const content = [
  { type: 'text', text: 'I read it.' },
  { type: 'tool-call', toolCallId: 'call_1', toolName: 'read_file', input: '{"path":"a.ts"}' },
];
const page: Behaviour = { kind: 'answer', text: 'The page.', promptTokens: 90, completionTokens: 3, cachedTokens: 80 };

describe('modelPageSource', () => {
  it.each(['chat', 'anthropic'] as const)('sends the call again, its answer and one message: %s', async (name) => {
    server.play([page]);
    const source = modelPageSource(
      models()[name],
      { ...sent, headers: { 'Idempotency-Key': 'a', 'x-own': 'b' } },
      { content, usage: null },
    );
    const written = await source.askCached!('Write a page.', signal);
    expect(written).toMatchObject({ text: 'The page.', finishReason: 'stop', usage: { cachedTokens: 80 } });
    const [request] = server.received;
    expect(request!.problems).toEqual([]);
    expect(request!.headers).toMatchObject({ 'x-own': 'b' });
    expect(request!.headers).not.toHaveProperty('idempotency-key');
    const order = ['Read a.ts.', 'I read it.', 'call_1', 'This call is still running.', 'Write a page.'];
    const places = order.map((text) => request!.raw.indexOf(text));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places).not.toContain(-1);
    expect(JSON.stringify(request!.body.tools)).toContain('read_file');
  });

  it('leaves out an answer that cannot be sent back', async () => {
    server.play([page]);
    const file = { type: 'file', mediaType: 'image/png', data: 'AAAA' };
    await modelPageSource(models().chat, sent, { content: [...content, file], usage: null }).askCached!(
      'Write a page.',
      signal,
    );
    expect(server.received[0]!.body.messages).toEqual([
      { role: 'user', content: 'Read a.ts.' },
      { role: 'user', content: 'Write a page.' },
    ]);
  });

  it.each([
    ['a forced call', { toolChoice: { type: 'required' } }],
    ['a certain tool', { toolChoice: { type: 'tool', toolName: 'read_file' } }],
    ['JSON', { responseFormat: { type: 'json' } }],
    ['to stop at a word', { stopSequences: ['END'] }],
  ])('asks without the conversation where the call wants %s', async (_, wanted) => {
    server.play([page]);
    const source = modelPageSource(models().chat, { ...sent, ...wanted }, { content, usage: null });
    expect(source.askCached).toBeNull();
    await source.ask('Write a page about this.', 1_500, signal);
    expect(server.received[0]!.body).toEqual({
      model: 'm',
      max_tokens: 1_500,
      messages: [{ role: 'user', content: 'Write a page about this.' }],
    });
  });

  it('has no text when the model calls a tool, and tells when a page was cut', async () => {
    const call = { id: 'call_2', name: 'read_file', arguments: '{}' };
    server.play([
      { kind: 'answer', text: '', calls: [call] },
      { kind: 'answer', text: 'The p', finish: 'length' },
    ]);
    const source = modelPageSource(models().chat, sent, { usage: null });
    expect((await source.askCached!('Write a page.', signal)).text).toBe('');
    expect((await source.askCached!('Write a page.', signal)).finishReason).toBe('length');
  });

  it('has no room where the provider says so', () => {
    const source = (headers: Record<string, string>) =>
      modelPageSource(models().chat, sent, { response: { headers }, usage: null });
    expect(source({}).hasRoom).toBe(true);
    expect(source({ 'x-ratelimit-remaining-requests': '1' }).hasRoom).toBe(false);
    expect(source({ 'Retry-After': '3' }).hasRoom).toBe(false);
    const response = { headers: { 'x-ratelimit-remaining-tokens': '5000' } };
    const hasRoomAfter = (promptTokens: number) =>
      modelPageSource(models().chat, sent, { response, usage: { promptTokens, completionTokens: 1 } }).hasRoom;
    expect([hasRoomAfter(4_000), hasRoomAfter(6_000)]).toEqual([true, false]);
  });
});
