import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { startLoopbackServer } from '../../../../../test/loopback-server/index.ts';
import { defaultServerLimits } from '../../../src/proxy/serving/create-limited-server.ts';
import { isLoopback, parseAddress, urlOf } from '../../../src/proxy/serving/listen-address.ts';
import { rawConnection, rawRequest, rawServer } from '../raw-http.ts';
import { runningProxy } from '../running-proxy.ts';

describe('an address to listen on', () => {
  it.each([
    ['0.0.0.0:4141', { host: '0.0.0.0', port: 4141 }, false],
    ['[::]:80', { host: '::', port: 80 }, false],
    ['[::1]:0', { host: '::1', port: 0 }, true],
    ['127.0.0.7:1', { host: '127.0.0.7', port: 1 }, false],
    ['localhost:1', { host: 'localhost', port: 1 }, true],
    ['localhost.evil.example:1', { host: 'localhost.evil.example', port: 1 }, false],
  ])('%s', (text, address, isOwn) => {
    expect(parseAddress(text)).toEqual(address);
    expect(isLoopback(address)).toBe(isOwn);
    expect(urlOf(address)).toBe(`http://${text}`);
  });

  it.each(['4141', '0.0.0.0', '::1:80', '[1.2.3.4]:80', 'a b:1', 'a:99999', 'http://a:1', ':1'])('not %s', (text) => {
    expect(parseAddress(text)).toBeNull();
  });

  it('beyond this machine needs tokens', async () => {
    const server = await startLoopbackServer();
    for (const host of ['0.0.0.0', '::'])
      await expect(runningProxy(server, { host })).rejects.toThrow(/other machines can reach .*--tokens/);
    await server.close();
  });
});

describe('the health of a proxy', () => {
  it('is alive and ready, for a load balancer that names another host', async () => {
    const server = await startLoopbackServer();
    const { proxy } = await runningProxy(server);
    for (const path of ['/healthz', '/readyz'])
      expect(await rawRequest(proxy.port, `GET ${path} HTTP/1.0\r\nHost: 10.0.0.1\r\n\r\n`)).toMatch(
        / 200 OK[\s\S]*ok\n$/,
      );
    await proxy.close();
    await server.close();
  });

  it('says that it drains, and still answers, before it closes', async () => {
    const server = await startLoopbackServer();
    const { proxy } = await runningProxy(server);
    const closed = proxy.close(undefined, 1_500);
    expect(await rawRequest(proxy.port, 'GET /readyz HTTP/1.0\r\n\r\n')).toMatch(/ 503 /);
    expect(await rawRequest(proxy.port, 'GET /healthz HTTP/1.0\r\n\r\n')).toMatch(/ 200 /);
    await closed;
    await server.close();
  });

  it('closes at once although a client is connected that has sent nothing', async () => {
    const server = await startLoopbackServer();
    const { proxy } = await runningProxy(server);
    const { received, socket } = rawConnection(proxy.port);
    await once(socket, 'connect');
    await proxy.close();
    expect(await received).toBe('');
    await server.close();
  });

  it('ends with requests that take longer than the time to drain', async () => {
    let hasArrived = (): void => undefined;
    const arrival = new Promise<void>((resolve) => {
      hasArrived = resolve;
    });
    const provider = await rawServer(() => hasArrived());
    const server = await startLoopbackServer();
    const { proxy } = await runningProxy(server, {
      upstreams: {
        openai: provider.url,
        chatgpt: provider.url,
        anthropic: provider.url,
        gemini: provider.url,
        vertex: null,
        bedrock: 'us-east-1',
        ollama: provider.url,
      },
    });
    const { socket, received } = rawConnection(proxy.port);
    socket.write('GET /openai/v1/models HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await arrival;
    await proxy.close(300);
    expect(await received).toBe('');
    await provider.close();
    await server.close();
  });
});

describe('a client', () => {
  const limits = { ...defaultServerLimits, requestTimeoutMs: 1000, maxConnections: 3 };

  it.each([
    [
      'that sends its headers slowly',
      'POST /openai/v1/chat/completions HTTP/1.1\r\nHost: localhost\r\n',
      / 408 [\s\S]*too_slow/,
    ],
    [
      'that sends its body slowly',
      'POST /openai/v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{',
      / 408 [\s\S]*too_slow/,
    ],
    [
      'with endless headers',
      `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(40_000)}`,
      / 431 [\s\S]*headers_too_large/,
    ],
    ['that speaks no HTTP', 'HELLO\r\n\r\n', / 400 [\s\S]*malformed/],
  ])('%s is cut off with an error', async (_, text, answer) => {
    const server = await startLoopbackServer();
    const { proxy } = await runningProxy(server, { serverLimits: limits });
    expect(await rawRequest(proxy.port, text)).toMatch(answer);
    expect(server.received).toEqual([]);
    await proxy.close();
    await server.close();
  });

  it('beyond the number of connections is closed at once', async () => {
    const server = await startLoopbackServer();
    const { proxy } = await runningProxy(server, { serverLimits: { ...defaultServerLimits, maxConnections: 3 } });
    const open = Array.from({ length: 3 }, () => rawConnection(proxy.port));
    await Promise.all(open.map(({ socket }) => new Promise((resolve) => socket.once('connect', resolve))));
    await expect.poll(() => rawRequest(proxy.port, 'GET /healthz HTTP/1.0\r\n\r\n')).toBe('');
    for (const { socket } of open) socket.destroy();
    await expect.poll(() => rawRequest(proxy.port, 'GET /healthz HTTP/1.0\r\n\r\n')).toContain('ok');
    await proxy.close();
    await server.close();
  });

  it('whose request has no room next to those that are running gets an error that its SDK tries again', async () => {
    const server = await startLoopbackServer();
    const { proxy } = await runningProxy(server, { serverLimits: { ...defaultServerLimits, maxRunningBytes: 1_000 } });
    const post = (length: number, body: string): string =>
      `POST /openai/v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: ${length}\r\n\r\n${body}`;
    const large = post(1_500, ' '.repeat(1_500));
    // Alone, it passes.
    expect(await rawRequest(proxy.port, large)).not.toContain('overloaded');
    const slow = rawConnection(proxy.port);
    slow.socket.write(post(900, ' '.repeat(500)));
    await expect.poll(() => rawRequest(proxy.port, large)).toMatch(/ 503 [\s\S]*retry-after: 1\r\n[\s\S]*overloaded/i);
    expect(await rawRequest(proxy.port, post(400, ' '.repeat(400)))).not.toContain('overloaded');
    slow.socket.destroy();
    await expect.poll(() => rawRequest(proxy.port, large)).not.toContain('overloaded');
    await proxy.close();
    await server.close();
  });
});
