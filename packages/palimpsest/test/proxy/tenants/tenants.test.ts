import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type LoopbackServer, startLoopbackServer } from '../../../../../test/loopback-server/index.ts';
import { readTenants } from '../../../src/proxy/tenants/read-tenants.ts';
import { Tenants } from '../../../src/proxy/tenants/tenants.ts';
import { toolRounds } from '../../tool-rounds.ts';
import { type RunningProxy, runningProxy } from '../running-proxy.ts';
import { type TestTenant, tenantsFile, tenantsText } from './tenants-file.ts';

const env = { OPERATOR_KEY: 'test-key' };
const tenants: Readonly<Record<string, TestTenant>> = {
  acme: {
    tokens: ['acme-token'],
    keys: { openai: '$OPERATOR_KEY', anthropic: '$OPERATOR_KEY', gemini: '$OPERATOR_KEY' },
  },
  globex: { tokens: ['globex-old', 'globex-new'], ownKeys: true },
  plain: { tokens: ['plain-token'] },
  small: { tokens: ['small-token'], limits: { requestBytes: 1000 } },
  slow: { tokens: ['slow-token'], ownKeys: true, limits: { requestsPerMinute: 3 } },
  narrow: { tokens: ['narrow-token'], ownKeys: true, limits: { concurrentRequests: 1 } },
};
const file = tenantsFile(tenants);

let server: LoopbackServer;
let running: RunningProxy;
let known: Tenants;
beforeAll(async () => {
  server = await startLoopbackServer();
  known = await Tenants.open(() => readTenants(file, env));
  running = await runningProxy(server, { tenants: known, home: undefined });
});
afterAll(async () => {
  await running.proxy.close();
  await server.close();
});
beforeEach(() => {
  server.play(() => ({ kind: 'answer', text: 'An answer.' }));
});

const tools = [{ type: 'function', function: { name: 'read_file' } }];
const chat = { model: 'm', messages: toolRounds(3), tools };

const hello = { model: 'm', messages: [{ role: 'user', content: 'Hello' }], stream: false };

const ask = (headers: Readonly<Record<string, string>>, body: object = chat, path = '/openai/v1/chat/completions') =>
  fetch(`${running.proxy.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
const errorOf = async (reply: Response): Promise<readonly [number, string]> => [
  reply.status,
  (await reply.json()).error.type,
];
const arrived = () => server.received.at(-1)!.headers;

describe('a token', () => {
  it("in the header of the provider's key is replaced by the operator's key", async () => {
    expect((await ask({ authorization: 'Bearer acme-token', 'openai-organization': 'org-1' })).status).toBe(200);
    expect(arrived()).toMatchObject({ authorization: 'Bearer test-key' });
    expect(arrived()).not.toHaveProperty('openai-organization');
    const message = { model: 'm', max_tokens: 100, messages: [{ role: 'user', content: 'Hello' }] };
    const version = { 'anthropic-version': '2023-06-01' };
    const messages = await ask({ 'x-api-key': 'acme-token', ...version }, message, '/anthropic/v1/messages');
    expect([messages.status, arrived()['x-api-key']]).toEqual([200, 'test-key']);
    const contents = { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] };
    const path = '/gemini/v1beta/models/gemini-3-pro:generateContent?key=of-the-client';
    expect((await ask({ 'x-goog-api-key': 'acme-token' }, contents, path)).status).toBe(200);
    expect(arrived()['x-goog-api-key']).toBe('test-key');
    expect(server.received.at(-1)!.path).not.toContain('of-the-client');
  });

  it("in a header of its own leaves the client's key as it is", async () => {
    for (const token of ['globex-old', 'globex-new']) {
      const reply = await ask({ authorization: 'Bearer test-key', 'x-palimpsest-token': token });
      expect([reply.status, arrived().authorization]).toEqual([200, 'Bearer test-key']);
      expect(arrived()).not.toHaveProperty('x-palimpsest-token');
    }
    // The operator's key is for clients without one.
    expect((await ask({ 'x-palimpsest-token': 'acme-token' })).status).toBe(200);
    expect(arrived().authorization).toBe('Bearer test-key');
  });

  it.each([
    ['none', {}],
    ['an unknown one', { authorization: 'Bearer guessed' }],
    ["the provider's key alone", { authorization: 'Bearer test-key' }],
    ['a hash of one', { authorization: `Bearer ${tenantsText(tenants).match(/sha256:(\w+)/)![1]}` }],
    ['a wrong one next to a valid one', { authorization: 'Bearer acme-token', 'x-palimpsest-token': 'guessed' }],
    ['an empty one', { 'x-palimpsest-token': '' }],
  ])('is needed: %s', async (_, headers) => {
    const before = server.received.length;
    expect(await errorOf(await ask(headers as Record<string, string>))).toEqual([401, 'token_invalid']);
    expect(server.received).toHaveLength(before);
  });

  it("also next to one in its own header is replaced by the operator's key, wherever keys are sent", async () => {
    const own = { 'x-palimpsest-token': 'acme-token' };
    for (const name of ['authorization', 'x-api-key', 'api-key', 'x-goog-api-key']) {
      expect(
        (await ask({ ...own, [name]: name === 'authorization' ? 'Bearer acme-token' : 'acme-token' })).status,
      ).toBe(200);
      expect(JSON.stringify(arrived())).not.toContain('acme-token');
      expect(arrived().authorization).toBe('Bearer test-key');
    }
    // Without a key of the operator, it is not sent on either.
    const twice = { authorization: 'Bearer globex-new', 'x-palimpsest-token': 'globex-new' };
    expect(await errorOf(await ask(twice))).toEqual([403, 'no_provider_key']);
  });

  it("does not open what else the operator's account has", async () => {
    const before = server.received.length;
    const continued = { model: 'm', input: 'Hello', previous_response_id: 'resp_1' };
    const reply = await ask({ authorization: 'Bearer acme-token' }, continued, '/openai/v1/responses');
    expect(await errorOf(reply)).toEqual([403, 'stored_forbidden']);
    for (const path of [
      '/openai/v1/files',
      '/openai/v1/batches',
      '/openai/v1/threads/thread_1/messages',
      '/anthropic/v1/organizations/me',
    ])
      expect(await errorOf(await ask({ authorization: 'Bearer acme-token' }, {}, path))).toEqual([
        403,
        'path_forbidden',
      ]);
    const stored = await fetch(`${running.proxy.url}/openai/v1/responses/resp_1`, {
      headers: { authorization: 'Bearer acme-token' },
    });
    expect(await errorOf(stored)).toEqual([403, 'path_forbidden']);
    expect(server.received).toHaveLength(before);
  });

  it("opens only the models of the operator's Ollama", async () => {
    for (const headers of [
      { authorization: 'Bearer globex-new' },
      { authorization: 'Bearer own', 'x-palimpsest-token': 'globex-new' },
    ]) {
      expect((await ask(headers, hello, '/ollama/api/chat')).status).toBe(200);
      expect(arrived()).not.toHaveProperty('authorization');
      for (const path of ['/ollama/api/delete', '/ollama/api/pull'])
        expect(await errorOf(await ask(headers, {}, path))).toEqual([403, 'path_forbidden']);
    }
  });

  it('needs a key where the operator has set none', async () => {
    expect(await errorOf(await ask({ authorization: 'Bearer globex-new' }))).toEqual([403, 'no_provider_key']);
  });
});

describe('limits', () => {
  it.each([
    ['with its length', (text: string) => text],
    ['in chunks', (text: string) => new Blob([text]).stream()],
  ])('of bytes: a longer body %s is refused', async (_, bodyOf) => {
    const reply = await fetch(`${running.proxy.url}/openai/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer x', 'x-palimpsest-token': 'small-token' },
      body: bodyOf('x'.repeat(300_000)),
      duplex: 'half',
    } as RequestInit);
    expect(await errorOf(reply)).toEqual([413, 'request_too_large']);
  });

  it('of requests in a minute: a further one is told when to come again', async () => {
    const headers = { authorization: 'Bearer test-key', 'x-palimpsest-token': 'slow-token' };
    for (let sent = 0; sent < 3; sent++) expect((await ask(headers)).status).toBe(200);
    const refused = await ask(headers);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await errorOf(refused)).toEqual([429, 'rate_limited']);
    // Others are not affected.
    expect((await ask({ authorization: 'Bearer acme-token' })).status).toBe(200);
  });

  it('of running requests: a further one is refused until one has ended', async () => {
    const headers = { authorization: 'Bearer test-key', 'x-palimpsest-token': 'narrow-token' };
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let hasArrived = (): void => undefined;
    const arrival = new Promise<void>((resolve) => {
      hasArrived = resolve;
    });
    server.play(async () => {
      hasArrived();
      await released;
      return { kind: 'answer', text: 'Late.' };
    });
    const first = ask(headers);
    await arrival;
    expect(await errorOf(await ask(headers))).toEqual([429, 'too_many_running']);
    release();
    expect((await first).status).toBe(200);
    await (await first).text();
    await expect.poll(async () => (await ask(headers)).status).toBe(200);
  });
});

describe('conversations', () => {
  it('of two tenants are never one, however they are named', async () => {
    const named = { ...chat, messages: toolRounds(4), prompt_cache_key: 'shared', user: 'shared' };
    const session = { 'x-session-id': 'shared', authorization: 'Bearer test-key' };
    const before = running.proxy.conversations.map(({ id }) => id);
    for (const token of ['acme-token', 'globex-new', 'acme-token', 'globex-new'])
      await ask({ ...session, 'x-palimpsest-token': token }, named);
    const added = running.proxy.conversations.filter(({ id }) => !before.includes(id));
    expect(added.map(({ requests }) => requests)).toEqual([2, 2]);
  });

  it('are dropped for the same tenant only', async () => {
    const others = await Tenants.open(() =>
      readTenants(
        tenantsFile({
          one: { tokens: ['one'], ownKeys: true, limits: { conversations: 2 } },
          other: { tokens: ['other'], ownKeys: true },
        }),
        {},
      ),
    );
    const { proxy } = await runningProxy(server, { tenants: others });
    const send = (token: string, text: string) =>
      fetch(`${proxy.url}/openai/v1/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: 'Bearer test-key', 'x-palimpsest-token': token },
        body: JSON.stringify({ model: text, messages: [{ role: 'user', content: text }], tools }),
      });
    await send('other', 'kept');
    for (const text of ['a', 'b', 'c', 'd']) expect((await send('one', text)).status).toBe(200);
    expect(proxy.conversations.map(({ model }) => model)).toEqual(['d', 'c', 'kept']);
    await proxy.close();
  });

  it('are on no live view', async () => {
    const page = await fetch(running.proxy.url, { headers: { 'x-palimpsest-token': 'acme-token' } });
    expect(await errorOf(page)).toEqual([404, 'not_found']);
  });
});

describe('the file of tenants', () => {
  it('is read again, and stays in force while it is broken', async () => {
    writeFileSync(file, '{');
    await expect(known.reload()).rejects.toThrow('is not JSON');
    expect((await ask({ authorization: 'Bearer acme-token' })).status).toBe(200);
    writeFileSync(file, tenantsText({ ...tenants, acme: { ...tenants.acme!, tokens: ['acme-second'] } }));
    await known.reload();
    expect((await ask({ authorization: 'Bearer acme-token' })).status).toBe(401);
    expect((await ask({ authorization: 'Bearer acme-second' })).status).toBe(200);
  });
});
