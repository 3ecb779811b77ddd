import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type LoopbackServer, startLoopbackServer } from '../../../../test/loopback-server/index.ts';
import { readableState } from '../../../../test/stored-state.ts';
import { folderStore } from '../../src/conversations/conversation-store.ts';
import { type ContextProxy, startProxy } from '../../src/proxy/start-proxy.ts';
import { chatLoop } from './agent-loops.ts';
import { type RawServer, rawRequest, rawServer } from './raw-http.ts';
import { runningProxy } from './running-proxy.ts';
import { scriptedProvider } from './scripted-provider.ts';

/** What arrived at the provider. */
let arrived: { readonly url: string; readonly headers: IncomingHttpHeaders; readonly body: string }[] = [];
let provider: RawServer;
let proxy: ContextProxy;

beforeAll(async () => {
  provider = await rawServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      arrived.push({ url: request.url ?? '', headers: request.headers, body });
      response.setHeader('connection', 'keep-alive, x-hop');
      response.setHeader('x-hop', '1');
      response.setHeader('content-type', 'application/json').end('{}');
    });
  });
  proxy = await startProxy({
    upstreams: {
      openai: new URL('/v1', provider.url),
      chatgpt: provider.url,
      anthropic: provider.url,
      gemini: provider.url,
      vertex: null,
      bedrock: 'us-east-1',
      ollama: new URL('http://127.0.0.1:11434'),
    },
    port: 0,
    config: {},
    directory: import.meta.dirname,
  });
});
afterAll(async () => {
  await proxy.close();
  await provider.close();
});
beforeEach(() => {
  arrived = [];
});

/** A request written by hand; the connection closes after the reply. */
const send = (line: string, headers: readonly string[], body = ''): Promise<string> =>
  rawRequest(proxy.port, [line, ...headers, 'Connection: close', '', body].join('\r\n'));

const own = (): string => `Host: 127.0.0.1:${proxy.port}`;

describe('who may use the proxy', () => {
  it.each([
    ['the name of another host', ['Host: evil.example']],
    ['a host that looks like this one', ['Host: 127.0.0.1.evil.example']],
    ['the origin of a web page', ['Host: localhost', 'Origin: https://evil.example']],
    ['the origin of a file', ['Host: localhost', 'Origin: null']],
    ['a request of another site without an origin', ['Host: localhost', 'Sec-Fetch-Site: cross-site']],
    ['a page of another port of this machine', ['Host: localhost', 'Sec-Fetch-Site: same-site']],
    // Version 1.1 requires a host; the server refuses a request without one.
    ['a request without a host', [], '1.0'],
  ])('not %s', async (_, headers, version = '1.1') => {
    for (const path of ['/', '/openai/v1/models'])
      expect(await send(`GET ${path} HTTP/${version}`, headers)).toMatch(/^HTTP\/1\.1 403 /);
    expect(arrived).toEqual([]);
  });

  it.runIf(process.platform === 'linux')('not another machine: it listens on 127.0.0.1 only', async () => {
    const refused = expect.objectContaining({ code: 'ECONNREFUSED' });
    await expect(fetch(`http://127.0.0.2:${proxy.port}/`)).rejects.toMatchObject({ cause: refused });
  });

  it('programs that name this machine', async () => {
    for (const host of ['localhost', '127.0.0.1:1', '[::1]:4141'])
      expect(await send('GET /openai/v1/models HTTP/1.1', [`Host: ${host}`])).toMatch(/^HTTP\/1\.1 200 /);
    expect(arrived.map(({ url }) => url)).toEqual(['/v1/models', '/v1/models', '/v1/models']);
  });

  it('cannot choose where a request goes', async () => {
    const paths = [
      'http://evil.example/openai/v1/models',
      '//evil.example/v1/models',
      '/openai/../secret',
      '/openai/v1/../../secret',
      '/openai/%2e%2e/secret',
      '/openaix/v1/models',
      '/openai@evil.example/v1',
    ];
    for (const path of paths) expect(await send(`GET ${path} HTTP/1.1`, [own()])).toMatch(/^HTTP\/1\.1 404 /);
    expect(arrived).toEqual([]);
    // What looks like a host is a path.
    await send('GET /openai//evil.example/v1 HTTP/1.1', [own()]);
    expect(arrived.map(({ url, headers }) => [url, headers.host])).toEqual([
      ['/v1//evil.example/v1', provider.url.host],
    ]);
  });
});

describe('headers', () => {
  const smuggled = 'GET /openai/v1/smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n';

  it.each([
    ['two lengths', ['Content-Length: 5', 'Content-Length: 0']],
    ['a length and chunks', ['Content-Length: 5', 'Transfer-Encoding: chunked']],
    ['an unknown encoding', ['Transfer-Encoding: chunked, identity', 'Content-Length: 5']],
    ['a space before the colon', ['Transfer-Encoding : chunked', 'Content-Length: 5']],
    ['a length that is not a number', ['Content-Length: +5']],
  ])('with %s smuggle nothing', async (_, headers) => {
    await send('POST /openai/v1/chat/completions HTTP/1.1', [own(), ...headers], `0\r\n\r\n${smuggled}`);
    expect(arrived.filter(({ url }) => url.includes('smuggled'))).toEqual([]);
  });

  it('of the connection are not passed on, in both directions', async () => {
    const ofConnection = ['Connection: x-private', 'X-Private: 1', 'Upgrade: websocket', 'TE: trailers'];
    const ofClient = ['Proxy-Authorization: Basic eDp5', 'Expect: 100-continue', 'Accept-Encoding: gzip'];
    const headers = [own(), ...ofConnection, ...ofClient, 'X-Kept: 2'];
    const reply = await send('GET /anthropic/v1/models HTTP/1.1', [...headers, 'X-Api-Key: passed-on']);
    expect(arrived[0]!.headers).toMatchObject({ 'x-kept': '2', 'x-api-key': 'passed-on', host: provider.url.host });
    expect(arrived[0]!.headers['accept-encoding']).toBe('identity');
    for (const name of ['x-private', 'upgrade', 'te', 'proxy-authorization', 'expect'])
      expect(arrived[0]!.headers).not.toHaveProperty(name);
    expect(reply.toLowerCase()).not.toContain('x-hop');
  });
});

describe('keys', () => {
  it('are passed on, and are in no state file, live view, error or log', async () => {
    const server: LoopbackServer = await startLoopbackServer();
    const state = mkdtempSync(join(tmpdir(), 'palimpsest-keys-'));
    const { script } = scriptedProvider(32_000, 50);
    server.play(script);
    const running = await runningProxy(server, { store: folderStore(state) });
    await chatLoop({ ...running, history: [], task: 'Read all files.' });
    expect(server.received[0]!.headers.authorization).toBe('Bearer test-key');
    const page = await (await fetch(running.proxy.url)).text();
    const json = await (await fetch(running.proxy.url, { headers: { accept: 'application/json' } })).text();
    await server.close();
    const failed = await fetch(`${running.proxy.url}/openai/v1/chat/completions?key=test-key`, {
      method: 'POST',
      headers: { authorization: 'Bearer test-key' },
      body: '{}',
    });
    const error = await failed.text();
    await running.proxy.close();
    expect(failed.status).toBe(502);
    expect(error).toMatch(/127\.0\.0\.1:\d+: ECONNREFUSED/);
    for (const words of [/compactions? saved \d+ % of the prompt tokens: [\d,]+ were sent/])
      expect(page).toMatch(words);
    const paths = readdirSync(state).map((name) => join(state, name));
    const files = paths.map((path) => readableState(readFileSync(path, 'utf8')));
    expect(files.length).toBeGreaterThan(1);
    if (process.platform !== 'win32')
      for (const path of paths) expect([path, statSync(path).mode & 0o077]).toEqual([path, 0]);
    // Sessions are stored with their summaries. What finds them again is stored as hashes only.
    const { entries } = JSON.parse(files[paths.findIndex((path) => path.includes('opening'))]!);
    expect(entries).toEqual([
      {
        kind: 'compacted',
        at: expect.stringMatching(/^[\w+/]{20}$/),
        id: expect.stringMatching(/^[\da-f]{40}-[\da-f]{16}$/),
      },
    ]);
    for (const text of [page, json, error, ...files]) expect(text).not.toContain('test-key');
    // The page shows sizes, and nothing of the conversation.
    for (const text of [page, json]) expect(text).not.toContain('Read all files');
    rmSync(state, { recursive: true });
  });
});
