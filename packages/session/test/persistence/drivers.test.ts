import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createStorage } from 'unstorage';
import filesystem from 'unstorage/drivers/fs';
import redisDriver from 'unstorage/drivers/redis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BundledProcess, bundleProcess } from '../../../../test/bundle-process.ts';
import { type RedisServer, redisIsMissing, redisNote, startRedis } from '../../../../test/redis-server.ts';
import { fileStore } from '../../src/file-store.ts';
import type { SessionStore } from '../../src/options/session-store.ts';
import { keyValueStore } from '../../src/persistence/key-value-store.ts';
import { makeSession, turns } from '../make-session.ts';

const deep = process.env.PALIMPSEST_DEEP !== undefined;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'palimpsest-store-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Compacts a conversation, and continues it in another session with the same id. */
async function goesOn(first: SessionStore, second: SessionStore): Promise<void> {
  const messages = turns(30);
  const before = makeSession({ store: first });
  const sent = await before.session.beforeRequest(messages);
  before.session.afterResponse({ prompt_tokens: 2_222, completion_tokens: 5 }, sent);
  await before.session.end();
  const after = makeSession({ store: second });
  const again = await after.session.beforeRequest(messages);
  expect(JSON.stringify(again.messages)).toBe(JSON.stringify(sent.messages));
  expect(again.info.tokens).toBe(2_222);
  expect(after.session.records()).toEqual(before.session.records());
  expect(after.summarizer.calls).toEqual([]);
}

describe('the file driver of unstorage', () => {
  const storeIn = (name: string): SessionStore =>
    keyValueStore(createStorage({ driver: filesystem({ base: join(folder, name) }) }));

  it('resumes a session', async () => {
    await goesOn(storeIn('plain'), storeIn('plain'));
  });

  it('starts clean and reports it when the file was cut off, at any length', async () => {
    const messages = turns(30);
    const first = makeSession({ store: storeIn('torn') });
    await first.session.beforeRequest(messages);
    await first.session.end();
    const files = readdirSync(join(folder, 'torn'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    expect(files.length).toBe(1);
    const text = readFileSync(files[0]!, 'utf8');
    for (let size = text.length - 1; size >= 0; size = size === 0 ? -1 : Math.floor(size * (deep ? 0.99 : 0.6))) {
      writeFileSync(files[0]!, text.slice(0, size));
      const again = makeSession({ store: storeIn('torn') });
      const early = messages.slice(0, 3);
      expect((await again.session.beforeRequest(early)).messages).toEqual(early);
      expect(again.events.some(({ type }) => type === 'state-discarded')).toBe(true);
    }
  });
});

describe('a process that dies while it writes', () => {
  let bundle: BundledProcess;
  beforeAll(async () => {
    bundle = await bundleProcess(import.meta.url, './dying-process.ts');
  });
  afterAll(() => bundle.remove());

  const moments = ['before', 'half', 'after'] as const;
  const writes = deep ? Array.from({ length: 12 }, (_, at) => at) : [2];
  it.each(writes.flatMap((write) => moments.map((moment) => [moment, write] as const)))(
    'killed %s write %i, leaves a state that can be resumed',
    async (moment, write) => {
      const base = join(folder, `kill-${write}-${moment}`);
      const child = spawn(process.execPath, [bundle.script, base, String(write), moment], { stdio: 'inherit' });
      const end = await new Promise((resolve) => child.on('close', (code, signal) => resolve(signal ?? code)));
      // Windows has no signals: a killed process ends with exit code 1.
      expect(end).toBe(process.platform === 'win32' ? 1 : 'SIGKILL');
      const again = makeSession({ store: fileStore(base) });
      const messages = turns(60);
      const made = await again.session.beforeRequest(messages);
      expect(made.messages.at(-1)).toEqual(messages.at(-1));
      const numbers = again.session.records().map(({ number }) => number);
      expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
      expect(again.events.filter(({ type }) => type === 'store-failed')).toEqual([]);
      if (write > 1) expect(again.events.some(({ type }) => type === 'state-restored')).toBe(true);
    },
  );
});

describe.skipIf(redisIsMissing)(`the Redis driver of unstorage${redisNote}`, () => {
  let server: RedisServer;
  const store = (): ReturnType<typeof createStorage> =>
    createStorage({
      driver: redisDriver({
        url: server.url,
        base: 'test',
        maxRetriesPerRequest: 0,
        retryStrategy: () => null,
      } as never),
    });
  beforeAll(async () => {
    server = await startRedis(folder);
  });
  afterAll(() => server.stop());

  it('resumes a session, also when the server is killed in between', async () => {
    const first = store();
    const second = store();
    await goesOn(keyValueStore(first), keyValueStore(second));
    await Promise.all([first.dispose(), second.dispose()]);
    await server.stop('SIGKILL');
    await server.start();
    const third = store();
    const again = makeSession({ store: keyValueStore(third) });
    await again.session.beforeRequest(turns(30));
    expect(again.summarizer.calls).toEqual([]);
    expect(again.session.records().length).toBe(1);
    await third.dispose();
  });

  it('is not needed while it is down', async () => {
    const storage = store();
    const { session, events } = makeSession({ store: keyValueStore(storage), id: 'alone' });
    await session.beforeRequest(turns(2));
    await server.stop('SIGKILL');
    const made = await session.beforeRequest(turns(30));
    expect(made.info.checkpoint).toBe(1);
    await session.end();
    expect(events.filter(({ type }) => type === 'store-failed').length).toBeGreaterThan(0);
    await storage.dispose().catch(() => {});
    await server.start();
  });
});
