import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type OpenStore, storeCases } from '@palimpsest/testkit';
import { Redis } from 'ioredis';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  type PostgresServer,
  postgresIsMissing,
  postgresNote,
  startPostgres,
} from '../../../../test/postgres-server.ts';
import { type RedisServer, redisIsMissing, redisNote, startRedis } from '../../../../test/redis-server.ts';
import { fileStore } from '../../src/file-store.ts';
import { memoryStore } from '../../src/index.ts';
import { postgresStore } from '../../src/postgres-store.ts';
import { redisStore } from '../../src/redis-store.ts';

let base: string;
beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), 'palimpsest-stores-'));
  // PostgreSQL runs as another user.
  chmodSync(base, 0o711);
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

function keepsContract(open: OpenStore): void {
  for (const { name, run } of storeCases()) it(name, { timeout: 30_000 }, () => run(open));
}

describe('a store in memory', () => {
  const plain = memoryStore();
  keepsContract((options) => (options.expireAfterMs ? memoryStore(options) : plain));
});

describe('a store of files', () => {
  keepsContract((options) => fileStore(join(base, options.expireAfterMs ? 'expiring' : 'files'), options));

  it('goes on after a process that died while it wrote', async () => {
    const folder = join(base, 'dead');
    mkdirSync(folder);
    const store = fileStore(folder);
    const first = await store.save('x', 'one', null);
    const [name] = readdirSync(folder);
    const lock = join(folder, `${name}.lock`);
    writeFileSync(lock, 'a process that is gone');
    utimesSync(lock, new Date(), new Date(Date.now() - 1));
    expect(await store.save('x', 'two', first)).not.toBe(null);
    expect(readdirSync(folder)).toEqual([name]);
  });

  it('removes an expired file, unless another process is writing it', async () => {
    const folder = join(base, 'swept');
    mkdirSync(folder);
    const store = fileStore(folder, { expireAfterMs: 100_000 });
    await store.save('old', 'one', null);
    const [name] = readdirSync(folder);
    const lock = join(folder, `${name}.lock`);
    writeFileSync(lock, globalThis.crypto.randomUUID());
    utimesSync(lock, new Date(), new Date(Date.now() + 3_600_000));
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      vi.setSystemTime(Date.now() + 200_000);
      await store.save('new', 'one', null);
      expect(readdirSync(folder)).toContain(name);
      rmSync(lock);
      vi.setSystemTime(Date.now() + 70_000);
      await store.save('newest', 'one', null);
      expect(readdirSync(folder)).not.toContain(name);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe.skipIf(redisIsMissing)(`a store in Redis${redisNote}`, () => {
  let server: RedisServer;
  let redis: Redis;
  beforeAll(async () => {
    server = await startRedis(base);
    redis = new Redis(server.url);
  });
  afterAll(async () => {
    redis.disconnect();
    await server.stop();
  });
  keepsContract((options) => redisStore(redis, options));

  it('keeps a state for ever when the option expireAfterMs is removed', async () => {
    const first = await redisStore(redis, { expireAfterMs: 60_000 }).save('x', 'one', null);
    expect(await redis.pttl('palimpsest:session:x')).toBeGreaterThan(0);
    await redisStore(redis).save('x', 'two', first);
    expect(await redis.pttl('palimpsest:session:x')).toBe(-1);
  });
});

describe.skipIf(postgresIsMissing)(`a store in PostgreSQL${postgresNote}`, () => {
  let server: PostgresServer;
  let pool: pg.Pool;
  beforeAll(async () => {
    server = await startPostgres(base);
    pool = new pg.Pool({ connectionString: server.url });
    // The server may end before the connections are closed.
    pool.on('error', () => undefined);
  }, 60_000);
  afterAll(async () => {
    await pool.end();
    await server.stop();
  });
  keepsContract((options) => postgresStore(pool, options));

  it('creates its tables, also when many processes start at once', async () => {
    const stores = Array.from({ length: 8 }, () => postgresStore(pool, { prefix: 'many_' }));
    expect(await Promise.all(stores.map((store) => store.load('x')))).toEqual(stores.map(() => null));
  });

  it('rejects a prefix that is no name', () => {
    expect(() => postgresStore(pool, { prefix: 'a"; drop' })).toThrow('prefix');
  });
});
