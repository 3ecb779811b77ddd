import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LoopbackServer, startLoopbackServer } from '../../../../test/loopback-server/index.ts';
import { postgresIsMissing, postgresNote, startPostgres } from '../../../../test/postgres-server.ts';
import { redisIsMissing, redisNote, startRedis } from '../../../../test/redis-server.ts';
import { type FleetResult, runFleet } from './fleet-run.ts';
import { proxyProgram } from './proxy-program.ts';

let server: LoopbackServer;
let folder: string;
beforeAll(async () => {
  server = await startLoopbackServer();
  folder = mkdtempSync(join(tmpdir(), 'palimpsest-fleet-'));
  // PostgreSQL runs as another user.
  chmodSync(folder, 0o711);
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const window = 16_000;
const options = ['--window', String(window), '--summaries', 'rules', '--no-recall', '--max-conversations', '100'];
const size = { window, conversations: 30, requests: 50 };

const startProxy = (store: readonly string[]) => proxyProgram(server, [...options, ...store], folder);

/** What one process does alone. */
async function runAlone(): Promise<FleetResult> {
  const { program, url } = await startProxy([]);
  const result = await runFleet({ server, ...size, next: () => url });
  program.process.kill('SIGKILL');
  await program.ended;
  return result;
}

/** Three processes, one after the other for each request. One of them is killed and started again. */
async function runThree(store: string): Promise<FleetResult & { readonly isSlow: boolean }> {
  const proxies = await Promise.all([0, 1, 2].map(() => startProxy(['--store', store])));
  let requests = 0;
  const replace = async (): Promise<void> => {
    const [killed] = proxies.splice(1, 1);
    killed!.program.process.kill('SIGKILL');
    proxies.push(await startProxy(['--store', store]));
  };
  let replaced: Promise<void> | null = null;
  const next = (): string => {
    if (++requests === (size.conversations * size.requests) / 2) replaced = replace();
    return proxies[requests % proxies.length]!.url;
  };
  const result = await runFleet({ server, ...size, next });
  await replaced;
  const isSlow = proxies.some(({ program }) => program.stderr.includes('It did not answer within'));
  for (const { program } of proxies) {
    program.process.kill('SIGKILL');
    await program.ended;
  }
  return { ...result, isSlow };
}

const expectSimilar = (three: Awaited<ReturnType<typeof runThree>>, alone: FleetResult): void => {
  expect(three).toMatchObject({ mixed: [], refused: 0, failures: [] });
  // What is sent changes with each compaction. While conversations that begin alike part, or a process dies, one more may be
  // made. On a machine so busy that the store does not answer in time, processes go on without it.
  const sum = (changes: readonly number[]): number => changes.reduce((total, one) => total + one, 0);
  if (!three.isSlow) expect(sum(three.changes)).toBeLessThanOrEqual(sum(alone.changes) * 1.2);
  expect(Math.min(...three.changes)).toBeGreaterThan(0);
};

describe('three processes behind a plain round-robin, of which one is killed, mix and refuse nothing, and compact as often as one alone', () => {
  it.skipIf(redisIsMissing)(`with Redis${redisNote}`, { timeout: 300_000 }, async () => {
    const redis = await startRedis(folder);
    const three = await runThree(redis.url).finally(() => redis.stop());
    expectSimilar(three, await runAlone());
  });

  it.skipIf(postgresIsMissing)(`with PostgreSQL${postgresNote}`, { timeout: 300_000 }, async () => {
    const postgres = await startPostgres(folder);
    const three = await runThree(postgres.url).finally(() => postgres.stop());
    expectSimilar(three, await runAlone());
  });
});
