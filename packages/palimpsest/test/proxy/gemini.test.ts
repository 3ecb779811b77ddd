import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Behaviour, type LoopbackServer, startLoopbackServer } from '../../../../test/loopback-server/index.ts';
import { geminiLoop } from './agent-loops.ts';
import { type RunningProxy, runningProxy } from './running-proxy.ts';
import { scriptedProvider } from './scripted-provider.ts';

let server: LoopbackServer;
let running: RunningProxy;
beforeAll(async () => {
  server = await startLoopbackServer();
  running = await runningProxy(server);
});
afterAll(async () => {
  await running.proxy.close();
  await server.close();
});

const asked = { role: 'user', parts: [{ text: 'Go.' }] };
const tools = [{ functionDeclarations: [{ name: 'read_file', description: 'Reads a file.' }] }];
const said: Behaviour = { kind: 'answer', text: 'A text in "five" [pieces], {at least}.', promptTokens: 10 };

/** Posts a body as it is. @param path below the models of the API */
async function post(path: string, body: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return fetch(`${running.proxy.url}/gemini/v1beta/models/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
}

describe('a request to the Gemini API behind the proxy', () => {
  it('reaches the provider byte for byte, with its key in the address or in a header', async () => {
    // Written unlike JSON.stringify does it.
    const body = `{ "contents": [ ${JSON.stringify(asked)} ],\n  "generationConfig": {"temperature": 1.0} }`;
    server.play([said, said]);
    expect((await post('gemini-3-pro:generateContent?key=test-key', body)).status).toBe(200);
    expect((await post('gemini-3-pro:generateContent', body, { 'x-goog-api-key': 'test-key' })).status).toBe(200);
    expect(server.received.map(({ raw }) => raw)).toEqual([body, body]);
    expect(server.received[0]!.path).toBe('/v1beta/models/gemini-3-pro:generateContent?key=test-key');
    expect(server.received[1]!.headers['x-goog-api-key']).toBe('test-key');
  });

  it('passes requests on that count tokens, and those whose beginning is in a cache', async () => {
    const contents = Array.from({ length: 400 }, (_, at) =>
      at % 2 ? { role: 'model', parts: [{ text: `Answer ${at}. ${'Words. '.repeat(200)}` }] } : asked,
    );
    const counted = JSON.stringify({ contents: [...contents, asked] });
    server.play([said]);
    expect(await (await post('gemini-3-pro:countTokens?key=test-key', counted)).json()).toMatchObject({
      totalTokens: 7,
    });
    expect(server.counted).toEqual([counted]);
    const cached = JSON.stringify({ cachedContent: 'cachedContents/a', contents: [...contents, asked] });
    expect((await post('gemini-3-pro:generateContent?key=test-key', cached)).status).toBe(200);
    expect(server.received.map(({ raw }) => raw)).toEqual([cached]);
  });

  it.each([
    ['as server-sent events', '?alt=sse&key=test-key', (text: string) => text.split('data: ').slice(1)],
    [
      'as one JSON list',
      '?key=test-key',
      (text: string) => (JSON.parse(text) as object[]).map((item) => JSON.stringify(item)),
    ],
  ] as const)('streams an answer after a search in one reply: %s', async (_, query, chunksOf) => {
    const search = { id: 'r1', name: 'recall', arguments: '{"query":"Go"}' };
    server.play([{ kind: 'answer', text: 'I look.', calls: [search], promptTokens: 10 }, said]);
    const reply = await post(
      `gemini-3-pro:streamGenerateContent${query}`,
      JSON.stringify({ contents: [asked], tools }),
    );
    const chunks = chunksOf(await reply.text()).map(
      (chunk) => JSON.parse(chunk) as { candidates: { content: { parts: object[] }; finishReason?: string }[] },
    );
    const parts = chunks.flatMap(({ candidates }) => candidates[0]!.content.parts as { readonly text?: string }[]);
    expect(parts.map(({ text }) => text).join('')).toBe('I look.\n\nA text in "five" [pieces], {at least}.');
    expect(chunks.flatMap(({ candidates }) => candidates[0]!.finishReason ?? [])).toEqual(['STOP']);
    expect(server.received).toHaveLength(2);
    expect(server.received.flatMap(({ problems }) => problems)).toEqual([]);
  });

  it('passes a refusal for the rate on, with the time to wait', async () => {
    server.play([{ kind: 'status', status: 429, retryAfterSeconds: 7 }]);
    const reply = await post('gemini-3-pro:generateContent?key=test-key', JSON.stringify({ contents: [asked], tools }));
    expect([reply.status, reply.headers.get('retry-after')]).toEqual([429, '7']);
    expect(await reply.json()).toMatchObject({
      error: { status: 'RESOURCE_EXHAUSTED', details: [{ retryDelay: '7s' }] },
    });
  });

  it('is sent again smaller when the provider refuses its size', async () => {
    const { log, script } = scriptedProvider(12_000, 40);
    let refusals = 0;
    server.play((request) => {
      const behaviour = script(request);
      if (behaviour.kind === 'status') refusals++;
      return behaviour;
    });
    const larger = await runningProxy(server, { window: 64_000 });
    const history: object[] = [];
    await geminiLoop({ ...larger, history, task: 'Read all files.' });
    await larger.proxy.close();
    expect(refusals).toBe(1);
    expect(log.prompts).toHaveLength(41);
    expect(JSON.stringify(history.at(-1))).toContain('All done.');
    expect(server.received.flatMap(({ problems }) => problems)).toEqual([]);
  });
});
