import { once } from 'node:events';
import { request } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Behaviour, type LoopbackServer, startLoopbackServer } from '../../../../test/loopback-server/index.ts';
import { rawConnection, rawServer } from './raw-http.ts';
import { type RunningProxy, runningProxy } from './running-proxy.ts';

const answer: Behaviour = { kind: 'answer', text: 'An answer.' };
const hello = { model: 'm', messages: [{ role: 'user' as const, content: 'Hello' }] };
/** With a tool, so that the conversation has a session. */
const agentHello = { ...hello, tools: [{ type: 'function' as const, function: { name: 'read_file' } }] };

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

const post = (path: string, body: string): Promise<Response> =>
  fetch(`${running.proxy.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer test-key' },
    body,
  });

/** A request as bytes, with a body that may be sent in parts. */
function rawPost(length: number): string {
  return [
    'POST /openai/v1/chat/completions HTTP/1.1',
    'Host: localhost',
    'Authorization: Bearer test-key',
    'Content-Type: application/json',
    'Connection: close',
    `Content-Length: ${length}`,
    '',
    '',
  ].join('\r\n');
}

describe('bad input', () => {
  it("gets the provider's own answer: a broken body, an unknown path", async () => {
    server.play(() => answer);
    const broken = await post('/openai/v1/chat/completions', '{"model": "m", "messages": [');
    expect([broken.status, await broken.text()]).toEqual([400, expect.stringContaining('the body is not JSON')]);
    const unknown = await post('/openai/v1/what?x=1', '{"a":1}');
    expect([unknown.status, await unknown.text()]).toEqual([404, expect.stringContaining('no such route')]);
  });
});

describe('a body of 200 MB', () => {
  it.each([
    ['with its length', true],
    ['without it', false],
  ])('is passed on untouched and not held in memory, %s', async (_, hasLength) => {
    const [size, chunk] = [200 * 1024 * 1024, Buffer.alloc(1024 * 1024, 'x')];
    let [received, highest] = [0, 0];
    const provider = await rawServer((incoming, response) => {
      incoming.on('data', (part: Buffer) => {
        received += part.length;
        highest = Math.max(highest, process.memoryUsage().arrayBuffers);
      });
      incoming.on('end', () => response.end('{}'));
    });
    const large = await runningProxy(server, {
      upstreams: {
        openai: provider.url,
        chatgpt: provider.url,
        anthropic: provider.url,
        gemini: provider.url,
        vertex: null,
        bedrock: 'us-east-1',
        ollama: new URL('http://127.0.0.1:11434'),
      },
    });
    const before = process.memoryUsage().arrayBuffers;
    const outgoing = request(`${large.proxy.url}/anthropic/v1/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(hasLength ? { 'content-length': size } : {}) },
    });
    const replied = once(outgoing, 'response');
    await pipeline(
      Readable.from(
        (function* () {
          for (let sent = 0; sent < size; sent += chunk.length) yield chunk;
        })(),
      ),
      outgoing,
    );
    const [reply] = await replied;
    reply.resume();
    await large.proxy.close();
    await provider.close();
    expect(received).toBe(size);
    expect(highest - before).toBeLessThan(100 * 1024 * 1024);
  });
});

describe('slow and broken connections', () => {
  it('an upload that pauses does not keep others waiting, and continues', async () => {
    server.play(() => answer);
    const body = JSON.stringify(agentHello);
    const { socket, received } = rawConnection(running.proxy.port);
    socket.write(rawPost(body.length) + body.slice(0, 20));
    await once(socket, 'connect');
    expect((await running.openai.chat.completions.create(hello)).choices).toHaveLength(1);
    socket.write(body.slice(20));
    expect(await received).toContain('An answer.');
  });

  it('an upload that is broken off reaches no provider', async () => {
    server.play(() => answer);
    const { socket, received } = rawConnection(running.proxy.port);
    await once(socket, 'connect');
    socket.write(`${rawPost(1_000)}{"model":`);
    socket.destroy();
    await received;
    expect((await running.openai.chat.completions.create(hello)).choices).toHaveLength(1);
    expect(server.received).toHaveLength(1);
  });

  it('a client that closes its half counts as gone, and leaves nothing open', async () => {
    server.play(() => ({ kind: 'stall', at: 'start' }));
    const body = JSON.stringify({ ...agentHello, stream: true });
    const { socket, received } = rawConnection(running.proxy.port);
    socket.write(rawPost(body.length) + body);
    await server.arrival(1);
    socket.end();
    expect(await received).toBe('');
    await expect.poll(() => server.open).toBeLessThanOrEqual(1);
  });

  it.each([
    ['an agent', agentHello],
    ['a short request', hello],
  ])('when the provider breaks off, so does the reply, and the proxy continues (%s)', async (_, body) => {
    server.play((_request, number) => (number === 0 ? { kind: 'close', at: 'middle' } : answer));
    const stream = await running.openai.chat.completions.create({ ...body, stream: true });
    const read = async (): Promise<void> => {
      for await (const _ of stream);
    };
    await expect(read()).rejects.toThrow();
    expect((await running.openai.chat.completions.create(hello)).choices).toHaveLength(1);
  });

  it('when the client leaves, the connection to the provider is closed', async () => {
    server.play(() => ({ kind: 'stall', at: 'middle' }));
    const stream = await running.openai.chat.completions.create({ ...agentHello, stream: true });
    for await (const _ of stream) break;
    stream.controller.abort();
    await expect.poll(() => server.open).toBeLessThanOrEqual(1);
  });

  it('a reply is passed on chunk by chunk', async () => {
    // The second half never comes, so the first must not wait for it.
    server.play(() => ({ kind: 'stall', at: 'middle', text: 'One two three four five six seven.' }));
    const stream = await running.openai.chat.completions.create({ ...agentHello, stream: true });
    const first = await stream[Symbol.asyncIterator]().next();
    expect(first.value?.choices).toHaveLength(1);
    stream.controller.abort();
  });

  it('a provider that is down is reported with its address and the reason', async () => {
    const down = await rawServer(() => {});
    await down.close();
    const lost = await runningProxy(server, {
      upstreams: {
        openai: down.url,
        chatgpt: down.url,
        anthropic: down.url,
        gemini: down.url,
        vertex: null,
        bedrock: 'us-east-1',
        ollama: new URL('http://127.0.0.1:11434'),
      },
    });
    for (const body of [hello, agentHello])
      await expect(lost.openai.chat.completions.create(body)).rejects.toThrow(/502 .*127\.0\.0\.1:\d+: ECONNREFUSED/);
    await lost.proxy.close();
  });
});
