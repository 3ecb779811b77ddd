import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { Redis } from 'ioredis';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type PostgresServer,
  postgresIsMissing,
  postgresNote,
  startPostgres,
} from '../../../../test/postgres-server.ts';
import { type RedisServer, redisIsMissing, redisNote, startRedis } from '../../../../test/redis-server.ts';
import type { SessionStore } from '../../src/options/session-store.ts';
import { memoryStore } from '../../src/persistence/memory-store.ts';
import { postgresStore } from '../../src/postgres-store.ts';
import { redisStore } from '../../src/redis-store.ts';
import { Fleet, type Step } from './fleet.ts';

let base: string;
beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), 'palimpsest-fleet-'));
  // PostgreSQL runs as another user.
  chmodSync(base, 0o711);
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

const does = fc.oneof(
  { weight: 6, arbitrary: fc.constant('work' as const) },
  { weight: 2, arbitrary: fc.constantFrom('recall' as const, 'mixed' as const, 'secret' as const) },
  { weight: 1, arbitrary: fc.constantFrom('look' as const, 'ask' as const, 'compact-tool' as const, 'title' as const) },
  { weight: 1, arbitrary: fc.constantFrom('undo' as const, 'compact' as const) },
);
const step: fc.Arbitrary<Step> = fc.record({
  does,
  tokens: fc.integer({ min: 50, max: 900 }),
  by: fc.integer({ min: 0, max: 2 }),
  isNew: fc.boolean(),
});
const steps = fc.array(step, { minLength: 10, maxLength: 35 });
const numRuns = process.env.PALIMPSEST_DEEP ? 300 : 6;
const ofServers = process.env.PALIMPSEST_DEEP ? 30 : 2;

/** A run by three processes, and the same by one. */
async function expectSame(plan: readonly Step[], store: SessionStore): Promise<void> {
  const three = new Fleet(3, store);
  await three.run(plan);
  const one = new Fleet(1, memoryStore());
  await one.run(plan.map((each) => ({ ...each, isNew: false })));
  const difference = firstDifference(three.bodies, one.bodies);
  if (difference) throw new Error(JSON.stringify(difference));
  expect(three.pages).toEqual(one.pages);
  const inEffect = (fleet: Fleet): number => fleet.session(0).status().checkpoints.length;
  expect(inEffect(three)).toBe(inEffect(one));
  const problems = /failed|discarded|incomplete|passed|conflict/;
  expect(three.events.filter(({ type }) => problems.test(type))).toEqual([]);
}

const assertSame = (runs: number, plans: typeof steps, openStore: () => SessionStore): Promise<void> =>
  fc.assert(
    fc.asyncProperty(plans, (plan) => expectSame(plan, openStore())),
    { numRuns: runs, includeErrorInReport: true },
  );

describe('three processes that serve a conversation in any order', () => {
  it('send what one would send alone', { timeout: 600_000 }, () => assertSame(numRuns, steps, memoryStore));

  it('send it also if each request opens a session of its own', { timeout: 600_000 }, () => {
    const opened = steps.map((plan) => plan.map((each) => ({ ...each, isNew: true })));
    return assertSame(numRuns, opened, memoryStore);
  });
});

describe.skipIf(redisIsMissing)(`with Redis${redisNote}`, () => {
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
  it('they send the same', { timeout: 600_000 }, () =>
    assertSame(ofServers, steps, () => redisStore(redis, { prefix: `${globalThis.crypto.randomUUID()}:` })),
  );
});

describe.skipIf(postgresIsMissing)(`with PostgreSQL${postgresNote}`, () => {
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
  let run = 0;
  it('they send the same', { timeout: 600_000 }, () =>
    assertSame(ofServers, steps, () => postgresStore(pool, { prefix: `run_${run++}_` })),
  );
});

/** Where two runs differ first; `null` if nowhere. */
function firstDifference(these: readonly string[], those: readonly string[]): unknown {
  const at = these.findIndex((body, index) => body !== those[index]);
  if (at < 0) return these.length === those.length ? null : { lengths: [these.length, those.length] };
  const here = these[at]!;
  const there = those[at] ?? '';
  let from = 0;
  while (here[from] === there[from]) from++;
  const part = (text: string): string => text.slice(Math.max(0, from - 60), from + 200);
  return { request: at, of: [here.length, there.length], here: part(here), there: part(there) };
}
