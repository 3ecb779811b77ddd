import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Behaviour, type LoopbackServer, startLoopbackServer } from '../../../../test/loopback-server/index.ts';
import { ollamaLoop } from './ollama-loop.ts';
import { type RunningProxy, runningProxy, upstreamsOf } from './running-proxy.ts';
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

const asked = { role: 'user', content: 'Go.' };
const said: Behaviour = { kind: 'answer', text: 'A text in "five" pieces.', promptTokens: 10, completionTokens: 5 };

/** Posts a body as it is. */
function post(body: string, path = 'api/chat'): Promise<Response> {
  return fetch(`${running.proxy.url}/ollama/${path}`, { method: 'POST', body });
}

describe("a request to Ollama's own API behind the proxy", () => {
  it('reaches the server byte for byte, and so does its answer', async () => {
    // Written unlike JSON.stringify does it.
    const body = `{ "model": "qwen3", "messages": [ ${JSON.stringify(asked)} ],\n  "options": {"temperature": 1.0} }`;
    server.play([said, { kind: 'status', status: 404, message: "model 'qwen3' not found" }]);
    const reply = await post(body);
    expect(reply.headers.get('content-type')).toBe('application/x-ndjson');
    const lines = (await reply.text()).trim().split('\n');
    expect(JSON.parse(lines.at(-1)!)).toMatchObject({ done: true, prompt_eval_count: 10, eval_count: 5 });
    const refused = await post(body);
    expect(refused.status).toBe(404);
    expect(await refused.json()).toEqual({ error: "model 'qwen3' not found" });
    expect(server.received.map(({ raw }) => raw)).toEqual([body, body]);
  });

  it('streams an answer after a search in one reply', async () => {
    const search = { id: 'r1', name: 'recall', arguments: '{"query":"Go"}' };
    server.play([{ kind: 'answer', text: 'I look.', calls: [search], promptTokens: 10, completionTokens: 3 }, said]);
    const parameters = { type: 'object', properties: {} };
    const tools = [{ type: 'function', function: { name: 'read_file', description: 'Reads a file.', parameters } }];
    const reply = await post(JSON.stringify({ model: 'llama3.2', messages: [asked], tools }));
    const lines = (await reply.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const texts = lines.map(({ message }) => (message as { readonly content: string }).content);
    expect(texts.join('')).toBe('I look.\n\nA text in "five" pieces.');
    expect(lines.filter(({ done }) => done)).toEqual([
      expect.objectContaining({ eval_count: 8, prompt_eval_count: 10 }),
    ]);
    expect(server.received).toHaveLength(2);
    expect(server.received.flatMap(({ problems }) => problems)).toEqual([]);
  });

  it('is not taken for a short one when its own window is shorter', async () => {
    const words = 'Each line has other words. '.repeat(60);
    const messages = Array.from({ length: 13 }, (_, at) => ({
      role: at % 2 === 0 ? 'user' : 'assistant',
      content: `${at} ${words}`,
    }));
    const { script } = scriptedProvider(4_000, 0);
    server.play(script);
    await running.ollama.chat({ model: 'qwen3', messages, options: { num_ctx: 4_000, num_predict: 500 } });
    expect(server.received).toHaveLength(1);
    expect(server.received[0]!.raw.length).toBeLessThan(JSON.stringify(messages).length);
  });

  it.each([true, false])(
    'stays in the window that it asks for, for 50 rounds; streamed: %s',
    { timeout: 120_000 },
    async (isStreamed) => {
      // The window of the proxy is 32,000 tokens.
      const window = 12_000;
      const { log, script } = scriptedProvider(window, 50);
      server.play(script);
      const history: object[] = [];
      await ollamaLoop({ ...running, history, window, task: `Read all files, streamed: ${isStreamed}.`, isStreamed });
      expect(log.refused).toEqual([]);
      expect(log.prompts).toHaveLength(51);
      expect(server.received.flatMap(({ problems }) => problems)).toEqual([]);
      expect(JSON.stringify(history.at(-1))).toContain('All done.');
      expect(running.proxy.conversations[0]!.compactions.length).toBeGreaterThan(0);
    },
  );
});

it('other requests to Ollama pass through as they are', async () => {
  const arrived: (readonly [string, string])[] = [];
  const other = createServer(async (request, response) => {
    arrived.push([`${request.method} ${request.url}`, (await buffer(request)).toString('base64')]);
    response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    response.end('{"status":"pulling"}\n{"status":"success"}\n');
  });
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as AddressInfo;
  const upstreams = { ...upstreamsOf(server), ollama: new URL(`http://127.0.0.1:${port}`) };
  const { proxy } = await runningProxy(server, { upstreams });
  const bytes = new Uint8Array([123, 0, 255, 125]);
  const requests: readonly (readonly [method: string, path: string, body?: string | Uint8Array<ArrayBuffer>])[] = [
    ['HEAD', '/'],
    ['GET', '/api/tags'],
    ['GET', '/api/ps?all=1'],
    ['GET', '/api/version'],
    ['POST', '/api/show', '{ "model": "qwen3" }'],
    ['POST', '/api/pull', '{"model":"qwen3"}'],
    ['POST', '/api/embed', '{"model":"qwen3","input":["a"]}'],
    ['POST', '/api/generate', '{"model":"qwen3","prompt":"Go."}'],
    ['POST', '/api/chat', '{ "model": "qwen3", "messages": [], "keep_alive": 0 }'],
    ['POST', `/api/blobs/sha256:${'a'.repeat(64)}`, bytes],
    ['DELETE', '/api/delete', '{"model":"qwen3"}'],
  ];
  for (const [method, path, body = null] of requests) {
    const reply = await fetch(`${proxy.url}/ollama${path}`, { method, body });
    expect(reply.status).toBe(200);
    expect(await reply.text()).toBe(method === 'HEAD' ? '' : '{"status":"pulling"}\n{"status":"success"}\n');
  }
  expect(arrived).toEqual(
    requests.map(([method, path, body = '']) => [`${method} ${path}`, Buffer.from(body).toString('base64')]),
  );
  expect(proxy.conversations).toEqual([]);
  await proxy.close();
  other.close();
});
