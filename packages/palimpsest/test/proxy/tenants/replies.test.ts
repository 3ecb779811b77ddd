import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type LoopbackServer, startLoopbackServer } from '../../../../../test/loopback-server/index.ts';
import { readTenants } from '../../../src/proxy/tenants/read-tenants.ts';
import { Tenants } from '../../../src/proxy/tenants/tenants.ts';
import { type RunningProxy, runningProxy, upstreamsOf } from '../running-proxy.ts';
import { tenantsFile } from './tenants-file.ts';

let loopback: LoopbackServer;
let provider: Server;
let running: RunningProxy;
const problems: string[] = [];
beforeAll(async () => {
  loopback = await startLoopbackServer();
  provider = createServer((_, response) => {
    response.writeHead(429, {
      'content-type': 'application/json',
      'retry-after': '7',
      'set-cookie': 'a=b',
      'openai-organization': 'org-1',
      'x-ratelimit-remaining-tokens': '12',
      'anthropic-ratelimit-tokens-remaining': '12',
      'anthropic-organization-id': 'org-1',
      'x-request-id': 'req-1',
    });
    response.end('{}');
  }).listen(0, '127.0.0.1');
  await once(provider, 'listening');
  const path = tenantsFile({
    acme: { tokens: ['acme-token'], keys: { openai: '$KEY', anthropic: '$KEY' } },
    globex: { tokens: ['globex-token'], ownKeys: true },
  });
  const { port } = provider.address() as AddressInfo;
  running = await runningProxy(loopback, {
    tenants: await Tenants.open(() => readTenants(path, { KEY: 'test-key' })),
    upstreams: {
      ...upstreamsOf(loopback),
      openai: new URL(`http://127.0.0.1:${port}/v1`),
      anthropic: new URL('http://127.0.0.1:1'),
    },
    onProblem: (message) => problems.push(message),
  });
});
afterAll(async () => {
  await running.proxy.close();
  provider.close();
  await loopback.close();
});

const ask = (path: string, headers: Readonly<Record<string, string>>): Promise<Response> =>
  fetch(`${running.proxy.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ model: 'm', max_tokens: 10, messages: [{ role: 'user', content: 'Hello' }] }),
  });
const ofAccount = /organization|ratelimit|cookie/;

it("to the operator's key say nothing about the account", async () => {
  const reply = await ask('/openai/v1/chat/completions', { authorization: 'Bearer acme-token' });
  expect([reply.status, reply.headers.get('retry-after'), reply.headers.get('x-request-id')]).toEqual([
    429,
    '7',
    'req-1',
  ]);
  expect([...reply.headers.keys()].filter((name) => ofAccount.test(name))).toEqual([]);
  const own = { authorization: 'Bearer own', 'x-palimpsest-token': 'globex-token' };
  const ownReply = await ask('/openai/v1/chat/completions', own);
  expect([...ownReply.headers.keys()].filter((name) => ofAccount.test(name))).toHaveLength(5);
});

it('that fail tell the network to the operator only', async () => {
  const reply = await ask('/anthropic/v1/messages', { 'x-api-key': 'acme-token' });
  const { error } = await reply.json();
  expect([reply.status, error.type]).toEqual([502, 'upstream_unreachable']);
  expect(error.message).not.toMatch(/127\.0\.0\.1|ECONN/);
  expect(problems.join()).toMatch(/acme: no answer from http:\/\/127\.0\.0\.1:1: ECONNREFUSED/);
});
