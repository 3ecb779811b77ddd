import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type LoopbackServer, startLoopbackServer } from '../../../../test/loopback-server/index.ts';
import { contextFetch } from '../../src/fetch.ts';
import { makeSession, type TestSession } from '../make-session.ts';

let server: LoopbackServer;
let made: TestSession;
beforeAll(async () => {
  server = await startLoopbackServer(() => ({ kind: 'answer', text: 'Yes.', promptTokens: 10 }));
});
afterAll(() => server.close());
beforeEach(() => {
  made = makeSession({ window: 20_000 });
});

/** The window of the session after a request with these options. */
async function windowAfter(fetch: ReturnType<typeof contextFetch>, options?: object): Promise<number> {
  const body = JSON.stringify({ model: 'qwen3', messages: [{ role: 'user', content: 'Hi.' }], options });
  await (await fetch(`${server.ollamaUrl}/api/chat`, { method: 'POST', body })).text();
  return made.session.status().contextLength;
}

it('is at most num_ctx of the last request, and at most that of the session', async () => {
  const fetch = contextFetch(made.session);
  expect(await windowAfter(fetch)).toBe(20_000);
  expect(await windowAfter(fetch, { num_ctx: 4_096 })).toBe(4_096);
  expect(await windowAfter(fetch, { num_ctx: 4_096 })).toBe(4_096);
  expect(await windowAfter(fetch, { num_ctx: 8_192 })).toBe(8_192);
  expect(await windowAfter(fetch, { num_ctx: 65_536 })).toBe(20_000);
  expect(await windowAfter(fetch, { num_ctx: 4_096 })).toBe(4_096);
  expect(await windowAfter(fetch, { seed: 1 })).toBe(20_000);
});

it('is at most that of the model that the option names', async () => {
  const fetch = contextFetch(made.session, { model: (id) => ({ id, contextLength: 10_000 }) });
  expect(await windowAfter(fetch, { num_ctx: 16_384 })).toBe(10_000);
  expect(await windowAfter(fetch, { num_ctx: 6_000 })).toBe(6_000);
  expect(await windowAfter(fetch)).toBe(10_000);
});

it('follows a model that the host changed in between', async () => {
  const fetch = contextFetch(made.session);
  expect(await windowAfter(fetch, { num_ctx: 6_000 })).toBe(6_000);
  made.session.updateModel({ id: 'other', contextLength: 5_000 });
  expect(await windowAfter(fetch, { num_ctx: 6_000 })).toBe(5_000);
  made.session.updateModel({ id: 'other', contextLength: 40_000 });
  expect(await windowAfter(fetch, { num_ctx: 32_000 })).toBe(32_000);
  expect(await windowAfter(fetch)).toBe(40_000);
});
