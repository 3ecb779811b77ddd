import type { RequestListener } from 'node:http';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import type { ProxyOptions } from '../../src/proxy/proxy-options.ts';
import { type ContextProxy, startProxy } from '../../src/proxy/start-proxy.ts';
import { targetOf } from '../../src/proxy/upstreams.ts';
import { rawRequest, rawServer } from './raw-http.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function provider(listener: RequestListener): Promise<URL> {
  const server = await rawServer(listener);
  closing.push(() => server.close());
  return server.url;
}

async function proxyTo(upstream: URL, options: Partial<ProxyOptions> = {}): Promise<ContextProxy> {
  const upstreams = {
    openai: upstream,
    chatgpt: upstream,
    anthropic: upstream,
    gemini: upstream,
    vertex: upstream,
    bedrock: upstream,
    ollama: upstream,
  };
  const proxy = await startProxy({ upstreams, port: 0, config: {}, directory: import.meta.dirname, ...options });
  closing.push(() => proxy.close());
  return proxy;
}

/** A port that is free. */
async function freePort(): Promise<number> {
  const server = await rawServer(() => {});
  await server.close();
  return Number(server.url.port);
}

const post = (proxy: ContextProxy, path: string, body: string): Promise<Response> =>
  fetch(`${proxy.url}${path}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });

const tools = [{ type: 'function', function: { name: 'read_file' } }];
const agentHello = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hello' }], tools });

describe('a message that is nested deeply', () => {
  const nested = (depth: number): string => `${'{"a":['.repeat(depth)}1${']}'.repeat(depth)}`;
  const bodies: Readonly<Record<string, (deep: string) => string>> = {
    '/openai/v1/chat/completions': (deep) =>
      `{"model":"m","tools":[{"type":"function"}],"messages":[{"role":"user","content":"Go."},{"role":"assistant","content":"Yes.","deep":${deep}},{"role":"user","content":"On."}]}`,
    '/openai/v1/responses': (deep) =>
      `{"model":"m","tools":[{"type":"function"}],"input":[{"role":"user","content":"Go."},{"type":"x","deep":${deep}}]}`,
    '/anthropic/v1/messages': (deep) =>
      `{"model":"m","tools":[{"name":"t"}],"messages":[{"role":"user","content":"Go."},{"role":"assistant","content":[{"type":"tool_use","input":${deep}}]}]}`,
    '/gemini/v1beta/models/m:generateContent': (deep) =>
      `{"tools":[{"functionDeclarations":[{"name":"t"}]}],"contents":[{"role":"user","parts":[{"text":"Go."}]},{"role":"model","parts":[{"functionCall":{"name":"t","args":${deep}}}]},{"role":"user","parts":[{"functionResponse":{"name":"t","response":{}}}]}]}`,
  };

  it.each(Object.entries(bodies))('reaches the provider once and as it is: %s', async (path, bodyWith) => {
    const arrived: string[] = [];
    const proxy = await proxyTo(
      await provider((request, response) => {
        let text = '';
        request.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        request.on('end', () => {
          arrived.push(text);
          response.setHeader('content-type', 'application/json').end('{"of":"the provider"}');
        });
      }),
      { recall: false },
    );
    const sent: string[] = [];
    for (const depth of [100, 1_000, 2_500, 5_000, 5_000, 50_000]) {
      const body = bodyWith(nested(depth));
      sent.push(body);
      const reply = await post(proxy, path, body);
      expect([depth, reply.status, await reply.text()]).toEqual([depth, 200, '{"of":"the provider"}']);
    }
    expect(arrived.map((body, at) => body === sent[at])).toEqual(sent.map(() => true));
  });
});

describe('a status that HTTP does not define', () => {
  it.each([999, 600])('is reported, and the request is not sent again (%s)', async (status) => {
    let arrived = 0;
    const url = await provider((request, response) => {
      request.resume().on('end', () => {
        arrived++;
        response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
      });
    });
    const proxy = await proxyTo(url);
    for (const body of [agentHello, agentHello, '{"model":"m","messages":[]}', 'no json']) {
      arrived = 0;
      const reply = await post(proxy, '/openai/v1/chat/completions', body);
      expect([reply.status, arrived]).toEqual([502, 1]);
      expect(await reply.text()).toContain(
        `palimpsest: ${url.origin} answered with the status ${status}, which HTTP does not define.`,
      );
    }
  });
});

describe('the path of a request', () => {
  const upstreams = {
    openai: new URL('https://gateway.example/a/v1'),
    chatgpt: new URL('https://gateway.example/a/codex'),
    anthropic: new URL('https://gateway.example/a'),
    gemini: new URL('https://gateway.example/a'),
    vertex: new URL('https://gateway.example/a'),
    bedrock: new URL('https://gateway.example/a'),
    ollama: new URL('https://gateway.example/a'),
  };

  it('stays below the base path of the provider', () => {
    for (const path of ['/anthropic/../ab', '/anthropic/../a', '/openai/../v1x', '/anthropic/v1/..%2f..%2fadmin'])
      expect(targetOf(upstreams, path)).toBeNull();
    expect(targetOf(upstreams, '/anthropic/v1/messages?to=../x')?.url.pathname).toBe('/a/v1/messages');
    expect(targetOf(upstreams, '/openai/v1/models/ft:a..b')?.url.pathname).toBe('/a/v1/models/ft:a..b');
    const segment = fc.constantFrom(
      '..',
      '.',
      '',
      '%2e%2e',
      '.%2E',
      '..%2f',
      '%5c..',
      '\\..',
      'a',
      'ab',
      'v1',
      '..b',
      '\t..',
    );
    const name = fc.constantFrom(
      'openai' as const,
      'anthropic' as const,
      'gemini' as const,
      'vertex' as const,
      'bedrock' as const,
    );
    fc.assert(
      fc.property(name, fc.array(segment, { maxLength: 6 }), (provider, segments) => {
        const target = targetOf(upstreams, `/${provider}/${segments.join('/')}`);
        if (target === null) return;
        // A server may decode a path before it resolves it.
        const decoded = new URL(decodeURIComponent(target.url.pathname), target.url).pathname;
        const base = upstreams[provider].pathname;
        expect(`${decoded}/`.startsWith(`${base}/`)).toBe(true);
      }),
    );
  });
});

describe('a proxy whose provider is itself', () => {
  it('says so, at once', async () => {
    const port = await freePort();
    const proxy = await proxyTo(new URL(`http://127.0.0.1:${port}/openai/v1`), { port });
    for (const path of ['/openai/v1/chat/completions', '/openai/v1/models']) {
      const reply = await post(proxy, path, agentHello);
      expect(reply.status).toBe(508);
      expect(await reply.text()).toMatch(/the proxy received its own request: .*OPENAI_BASE_URL/);
    }
  });

  it('says so also if another proxy is between them', async () => {
    const [port, other] = [await freePort(), await freePort()];
    const proxy = await proxyTo(new URL(`http://127.0.0.1:${other}/openai/v1`), { port });
    await proxyTo(new URL(`http://127.0.0.1:${port}/openai/v1`), { port: other });
    expect((await post(proxy, '/openai/v1/chat/completions', agentHello)).status).toBe(508);
  });

  it('is not one that uses another proxy', async () => {
    const url = await provider((_, response) => void response.end('{}'));
    const inner = await proxyTo(url);
    const outer = await proxyTo(new URL(`${inner.url}/openai/v1`));
    expect((await post(outer, '/openai/v1/chat/completions', agentHello)).status).toBe(200);
  });
});

describe('a WebSocket', () => {
  it.each(['/openai/v1/responses', '/anthropic/v1/messages'])(
    'is refused at once, so that the agent uses HTTP: %s',
    async (path) => {
      let arrived = 0;
      const proxy = await proxyTo(
        await provider((_, response) => {
          arrived++;
          response.writeHead(404).end();
        }),
      );
      const reply = await rawRequest(
        proxy.port,
        [
          `GET ${path} HTTP/1.1`,
          'Host: localhost',
          'Connection: keep-alive, Upgrade',
          'Upgrade: websocket',
          'Sec-WebSocket-Version: 13',
          'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
          '',
          '',
        ].join('\r\n'),
      );
      expect(reply).toMatch(/^HTTP\/1\.1 426 Upgrade Required\r\n/);
      expect(reply).toContain('palimpsest: the proxy does not speak WebSocket; send the request by HTTP');
      expect(arrived).toBe(0);
    },
  );
});
