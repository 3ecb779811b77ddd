import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type LoopbackServer, startLoopbackServer } from '../../../../test/loopback-server/index.ts';
import { postgresIsMissing, postgresNote, startPostgres } from '../../../../test/postgres-server.ts';
import { redisIsMissing, redisNote, startRedis } from '../../../../test/redis-server.ts';
import { openStore } from '../../src/commands/open-store.ts';
import type { ProxyEvent } from '../../src/proxy/events/proxy-event.ts';
import { runningProxy } from '../proxy/running-proxy.ts';
import { runFleet } from './fleet-run.ts';

let server: LoopbackServer;
let folder: string;
beforeAll(async () => {
  server = await startLoopbackServer();
  folder = mkdtempSync(join(tmpdir(), 'palimpsest-outage-'));
  // PostgreSQL runs as another user.
  chmodSync(folder, 0o711);
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

interface StoreServer {
  readonly url: string;
  stop(): Promise<void>;
  start(): Promise<void>;
}

const window = 16_000;
/** How long the store is stopped, in milliseconds. */
const outageMs = 6_000;

/** A proxy in this process, with a connection of its own to the store. */
async function startMember(url: string) {
  const events: ProxyEvent[] = [];
  const store = await openStore(url, folder);
  const { proxy } = await runningProxy(server, {
    store,
    window,
    recall: false,
    onEvent: (event) => events.push(event),
  });
  const ofType = <T extends ProxyEvent['type']>(type: T) =>
    events.filter((event): event is Extract<ProxyEvent, { readonly type: T }> => event.type === type);
  const close = async (): Promise<void> => {
    await proxy.close();
    await store.close();
  };
  return { url: proxy.url, ofType, close };
}

async function survivesOutage(store: StoreServer): Promise<void> {
  const members = await Promise.all([startMember(store.url), startMember(store.url)]);
  let sent = 0;
  const next = (): string => members[sent++ % 2]!.url;
  await runFleet({ server, window, conversations: 2, requests: 4, alike: 0, next });
  await store.stop();
  const stopped = performance.now();
  while (performance.now() - stopped < outageMs)
    await runFleet({ server, window, conversations: 2, requests: 2, alike: 0, next });
  const { host } = new URL(store.url);
  for (const { ofType } of members) {
    expect(ofType('store-failed').map(({ reason }) => reason)).toContain(
      `the store at ${host} failed: it does not answer`,
    );
    expect(ofType('store-back')).toEqual([]);
  }
  const countFailures = (): number => members.flatMap(({ ofType }) => ofType('store-failed')).length;
  const failures = countFailures();
  await store.start();
  const started = performance.now();
  await vi.waitFor(() => expect(members.map(({ ofType }) => ofType('store-back').length)).toEqual([1, 1]), 5_000);
  // About one second; the machine may be busy.
  expect(performance.now() - started).toBeLessThan(2_500);
  const before = members.flatMap(({ ofType }) => ofType('compaction')).length;
  // These conversations were compacted by one process at a time.
  const { changes } = await runFleet({ server, window, conversations: 4, requests: 25, alike: 0, next });
  const compactions = members.flatMap(({ ofType }) => ofType('compaction')).length - before;
  expect(compactions).toBeGreaterThan(0);
  // On a machine so busy that the store does not answer in time, processes go on without it.
  if (countFailures() === failures) expect(changes.reduce((sum, one) => sum + one)).toBeLessThanOrEqual(compactions);
  for (const { close } of members) await close();
}

describe('two proxies whose store refused connections for a while say why, and use it again within two seconds', () => {
  it.skipIf(redisIsMissing)(`with Redis${redisNote}`, { timeout: 120_000 }, async () => {
    const redis = await startRedis(folder);
    await survivesOutage(redis).finally(() => redis.stop());
  });

  it.skipIf(postgresIsMissing)(`with PostgreSQL${postgresNote}`, { timeout: 120_000 }, async () => {
    const postgres = await startPostgres(folder);
    await survivesOutage(postgres).finally(() => postgres.stop());
  });
});
