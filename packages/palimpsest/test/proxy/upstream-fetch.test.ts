import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as zlib from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { connectUpstream } from '../../src/proxy/upstream-fetch.ts';

const closing: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A provider that sends chunks without end. */
async function endlessProvider(): Promise<string> {
  const server = createServer((_, response) => {
    const chunk = 'x'.repeat(10_000);
    const write = (): void => {
      while (!response.destroyed && response.write(chunk));
      if (!response.destroyed) response.once('drain', write);
    };
    write();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

describe('connectUpstream', () => {
  // Other systems have only one address of their own.
  it.skipIf(process.platform !== 'linux')('keeps connections to a limited number of origins', async () => {
    const server = createServer((_, response) => response.end('{}'));
    server.keepAliveTimeout = 600_000;
    server.listen(0, '0.0.0.0');
    await once(server, 'listening');
    closing.push(() => server.close());
    const upstream = connectUpstream();
    closing.push(() => upstream.close());
    const { port } = server.address() as AddressInfo;
    for (let host = 1; host <= 65; host++)
      expect((await (await upstream.fetch(`http://127.0.0.${host}:${port}/`)).text()).length).toBe(2);
    const count = (): Promise<number> =>
      new Promise((resolve) => server.getConnections((_, connections) => resolve(connections)));
    await expect.poll(count, { timeout: 20_000 }).toBeLessThan(3);
  });

  it('lets a client stop reading while chunks arrive', async () => {
    const url = await endlessProvider();
    const upstream = connectUpstream();
    closing.push(() => upstream.close());
    // A chunk that arrives after the end of a stream must not be an uncaught exception: it would end the proxy.
    const uncaught: unknown[] = [];
    const note = (error: unknown): void => void uncaught.push(error);
    process.on('uncaughtException', note);
    closing.push(() => process.off('uncaughtException', note));
    for (let call = 0; call < 20; call++) {
      const stop = new AbortController();
      const reader = (await upstream.fetch(url, { signal: stop.signal })).body!.getReader();
      expect((await reader.read()).done).toBe(false);
      await new Promise((resolve) => setImmediate(resolve));
      // More chunks have arrived by now. The next read asks for one, and the same tick ends the stream.
      const next = reader.read().catch(() => null);
      if (call % 2 === 0) stop.abort();
      else await reader.cancel();
      await next;
    }
    expect(uncaught).toEqual([]);
  });

  it.each([
    ['gzip', zlib.gzipSync],
    ['br', zlib.brotliCompressSync],
    ['deflate', zlib.deflateSync],
    // Without the header of zlib, which some servers leave out.
    ['deflate', zlib.deflateRawSync],
    ['gzip, BR', (text: string) => zlib.brotliCompressSync(zlib.gzipSync(text))],
    // Since Node 22.15.
    ...('zstdCompressSync' in zlib ? [['zstd', zlib.zstdCompressSync as typeof zlib.gzipSync] as const] : []),
  ] as const)('reads an answer that a gateway has compressed: %s', async (encoding, compress) => {
    const body = compress('{"id":"answer"}');
    const server = createServer((request, response) => {
      response.writeHead(200, { 'content-encoding': encoding, 'content-length': body.length });
      response.end(request.method === 'HEAD' ? undefined : body);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const upstream = connectUpstream();
    closing.push(() => new Promise((resolve) => server.close(resolve)));
    closing.push(() => upstream.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const answer = await upstream.fetch(url);
    expect([answer.headers.get('content-encoding'), answer.headers.get('content-length')]).toEqual([null, null]);
    expect(await answer.json()).toEqual({ id: 'answer' });
    const { headers } = await upstream.fetch(url, { method: 'HEAD' });
    expect(headers.get('content-encoding')).toBe(encoding);
  });
});
