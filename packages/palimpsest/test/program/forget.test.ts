import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LoopbackServer, startLoopbackServer } from '../../../../test/loopback-server/index.ts';
import { postgresIsMissing, postgresNote, startPostgres } from '../../../../test/postgres-server.ts';
import { redisIsMissing, redisNote, startRedis } from '../../../../test/redis-server.ts';
import { readableState } from '../../../../test/stored-state.ts';
import { openStore } from '../../src/commands/open-store.ts';
import type { ProxyOptions } from '../../src/proxy/proxy-options.ts';
import { readTenants } from '../../src/proxy/tenants/read-tenants.ts';
import { Tenants } from '../../src/proxy/tenants/tenants.ts';
import { runHere } from '../comparison/run-here.ts';
import { chatLoop } from '../proxy/agent-loops.ts';
import { runningProxy } from '../proxy/running-proxy.ts';
import { scriptedProvider } from '../proxy/scripted-provider.ts';
import { tenantsFile } from '../proxy/tenants/tenants-file.ts';

let server: LoopbackServer;
let folder: string;
beforeAll(async () => {
  server = await startLoopbackServer();
  folder = mkdtempSync(join(tmpdir(), 'palimpsest-forget-'));
  // PostgreSQL runs as another user.
  chmodSync(folder, 0o711);
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a conversation that is compacted, with one proxy. @returns its id */
async function compacted(where: string, tenants?: ProxyOptions['tenants']): Promise<string> {
  server.play(scriptedProvider(32_000, 60).script);
  const store = await openStore(where, folder);
  const running = await runningProxy(server, { store, tenants });
  await chatLoop({ ...running, history: [], task: 'Read all files.', rounds: 60 });
  const { id, compactions } = running.proxy.conversations[0]!;
  await running.proxy.close();
  await store.close();
  expect(compactions.length).toBeGreaterThan(0);
  return id;
}

/** Forgets a conversation that two proxies have in memory, and goes on with it. */
async function forgetsRunning(where: string): Promise<void> {
  server.play(scriptedProvider(32_000, 90).script);
  const stores = await Promise.all([openStore(where, folder), openStore(where, folder)]);
  const [one, other] = await Promise.all(stores.map((store) => runningProxy(server, { store })));
  const history: object[] = [];
  await chatLoop({ ...one!, history, task: 'Read all files.', rounds: 50 });
  await chatLoop({ ...other!, history, task: 'Read on.', rounds: 10 });
  const { id, compactions } = one!.proxy.conversations[0]!;
  expect(compactions.length).toBeGreaterThan(0);
  const forgottenAt = Date.now();
  expect(await runHere(['forget', id, '--store', where], { cwd: folder })).toMatchObject({ code: 0 });
  await chatLoop({ ...one!, history, task: 'Read on.', rounds: 10 });
  // It stores what it has in memory, if it still counts.
  await other!.proxy.close();
  await one!.proxy.close();
  const state = await stores[0]!.sessions.load(id);
  for (const store of stores) await store.close();
  const { records } = JSON.parse(readableState(state!.text)) as { readonly records: readonly { at: number }[] };
  expect(records.filter(({ at }) => at < forgottenAt)).toEqual([]);
}

async function stored(where: string): Promise<readonly string[]> {
  const store = await openStore(where, folder);
  return store.ids().finally(() => store.close());
}

async function forgets(where: string): Promise<void> {
  const path = tenantsFile({ acme: { tokens: ['test-key'], keys: { openai: '$KEY' } } });
  const acme = await compacted(where, await Tenants.open(() => readTenants(path, { KEY: 'test-key' })));
  const one = await compacted(where);
  const forget = (...given: string[]) => runHere(['forget', ...given, '--store', where], { cwd: folder });

  expect(await forget(one.slice(0, 7))).toMatchObject({ code: 2, stderr: expect.stringContaining('is too short') });
  expect(await forget('0'.repeat(8))).toMatchObject({ code: 1, stderr: expect.stringContaining('no conversation') });
  expect(await forget('--tenant', 'globex')).toMatchObject({ code: 1, stderr: expect.stringContaining('globex') });
  expect(await forget()).toMatchObject({ code: 2, stderr: expect.stringContaining('name conversations') });
  expect(await stored(where)).toEqual(expect.arrayContaining([one, acme]));

  expect(await forget(one.slice(0, 8))).toMatchObject({ code: 0, stdout: 'forgot 1 conversation\n' });
  expect(await stored(where)).not.toContain(one);
  expect(await stored(where)).toContain(acme);
  expect(await forget('--tenant', 'acme')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^forgot the tenant acme: \d entries\n$/),
  });
  // What is left is of the other conversation: hashes, and what was learned from its first request.
  const left = await stored(where);
  expect(left.map((id) => id.slice(-16))).toEqual([one.slice(-16), one.slice(-16)]);
  const store = await openStore(where, folder);
  for (const id of left) expect(readableState((await store.sessions.load(id))!.text)).not.toContain('Read all files');
  await store.close();
  await forgetsRunning(where);
}

describe('palimpsest forget deletes a conversation, also from running proxies, and all of a tenant,', () => {
  it('in a folder', () => forgets(join(folder, 'store')));

  it('but not from a folder that does not exist, which it does not create', async () => {
    const result = await runHere(['forget', '0'.repeat(8), '--store', 'missing'], { cwd: folder });
    expect(result).toMatchObject({ code: 1, stderr: expect.stringContaining('there is no store in missing') });
    expect(existsSync(join(folder, 'missing'))).toBe(false);
  });

  it.skipIf(redisIsMissing)(`in Redis${redisNote}`, async () => {
    const redis = await startRedis(folder);
    await forgets(redis.url).finally(() => redis.stop());
  });

  it.skipIf(postgresIsMissing)(`in PostgreSQL${postgresNote}`, async () => {
    const postgres = await startPostgres(folder);
    await forgets(postgres.url).finally(() => postgres.stop());
  });
});
