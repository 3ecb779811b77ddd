import type { Message } from '@palimpsest/core';
import { createStorage } from 'unstorage';
import memory from 'unstorage/drivers/memory';
import { describe, expect, it } from 'vitest';
import { createRecall, type KeyValueStorage, type RecallEvent, type RecallOptions } from '../src/index.ts';
import { exchange, redact, refsIn } from './histories.ts';

const messages: readonly Message[] = [
  ...exchange('bash', { command: 'npm test' }, 'TypeError: session is undefined, key SECRETabc'),
  ...exchange('read_file', { path: 'src/a.ts' }, 'export const retryLimit = 7;'),
];

function setup(options: Partial<RecallOptions> = {}) {
  const events: RecallEvent[] = [];
  const store = options.store ?? createStorage({ driver: memory() });
  const open = (more: Partial<RecallOptions> = {}) =>
    createRecall({ sessionId: 'one', redact, store, onEvent: (event) => events.push(event), ...options, ...more });
  return { events, store, open };
}

/** The keys and values of a store. */
async function contents(store: KeyValueStorage): Promise<[key: string, value: unknown][]> {
  const keys = (await store.getKeys('palimpsest')) as string[];
  return Promise.all(keys.map(async (key): Promise<[string, unknown]> => [key, await store.getItem(key)]));
}

describe('archived messages', () => {
  it('are found after the host dropped them, and after a restart, masked', async () => {
    const { open, store, events } = setup();
    const first = open();
    await first.archive(messages);
    for (const recall of [first, open()]) {
      const answer = await recall.callTool('recall', { query: 'TypeError' });
      expect(answer).toContain(
        'bash npm test, before the oldest message, line 1\n1| TypeError: session is undefined, key [masked]',
      );
    }
    expect(JSON.stringify(await contents(store))).not.toContain('SECRET');
    expect(events).toEqual([]);
  });

  it('keep the ref that the model knows, also where masking changed the text', async () => {
    const { open } = setup();
    const recall = open();
    recall.update(messages, {
      provenance: { output: [], source: messages.map(() => ({ kind: 'dropped', edit: 0, reasons: [] })) },
    });
    const [ref] = refsIn(await recall.callTool('recall', { query: 'TypeError' }));
    await recall.archive(messages);
    expect(await recall.callTool('recall', { query: 'TypeError', limit: 10 })).toContain('SECRETabc');
    expect(refsIn(await recall.callTool('recall', { query: 'TypeError', limit: 10 }))).toEqual([ref]);
    recall.update([]);
    expect(await recall.callTool('expand', { ref })).toContain('key [masked]');
  });

  it('are gone when they are cleared, or too old', async () => {
    let now = 1000;
    const clock = { now: () => now, schedule: () => () => {} };
    const { open, store, events } = setup({ clock, archive: { maxAgeMs: 500 } });
    await open().archive(messages);
    now = 2000;
    expect(await open().callTool('recall', { query: 'TypeError' })).toContain('Nothing is hidden');
    expect(events).toEqual(
      messages.filter(({ role }) => role === 'tool').map(() => ({ type: 'recall-text-rejected', reason: 'expired' })),
    );
    await open().archive(messages);
    const recall = open();
    await recall.clearArchive();
    expect(await recall.callTool('recall', { query: 'TypeError' })).toContain('Nothing is hidden');
    expect(await contents(store)).toEqual([]);
  });

  it('are removed oldest first when the archive is full', async () => {
    const { open, store, events } = setup({ archive: { maxCharacters: 30 } });
    const recall = open();
    await recall.archive(messages);
    expect(await recall.callTool('recall', { query: 'retryLimit' })).toContain('retryLimit = 7');
    expect(await recall.callTool('recall', { query: 'TypeError' })).toContain('Nothing that is hidden matches');
    expect(await contents(store)).toHaveLength(1);
    expect(events).toEqual([{ type: 'recall-archive-full', removedTexts: 1, maxCharacters: 30 }]);
  });

  it('of another session are not read, even under the same keys', async () => {
    const { open, store, events } = setup();
    await open().archive(messages);
    const other = open({ sessionId: 'two' });
    expect(await other.callTool('recall', { query: 'TypeError' })).toContain('Nothing is hidden');
    const [key, value] = (await contents(store))[0]!;
    const getKeys = () => [key];
    const misled = open({ sessionId: 'two', store: { ...wrapped(store), getKeys, getItem: () => value } });
    expect(await misled.callTool('recall', { query: 'TypeError retryLimit' })).toContain('Nothing is hidden');
    expect(events).toEqual([{ type: 'recall-text-rejected', reason: 'foreign' }]);
  });

  it.each([
    ['cut', (value: string) => value.slice(0, -5)],
    ['changed', (value: string) => value.replace('undefined', 'defined').replace('retry', 'Retry')],
    ['changed beside the text', (value: string) => value.replace(/"tool":"./, '"tool":"x')],
    ['not ours', () => '{"text":"TypeError"}'],
    ['a number', () => 7],
    ['exchanged', (_: string, other: string) => other],
  ])('that are %s are reported and not found', async (_, damage) => {
    const { open, store, events } = setup();
    await open().archive(messages);
    const [[one, first], [two, second]] = (await contents(store)) as [[string, string], [string, string]];
    const damaged = new Map<string, unknown>([
      [one, damage(first, second)],
      [two, damage(second, first)],
    ]);
    const recall = open({ store: { ...wrapped(store), getItem: (key) => damaged.get(key) } });
    expect(await recall.callTool('recall', { query: 'TypeError retryLimit' })).toContain('Nothing is hidden');
    expect(events).toEqual([1, 2].map(() => ({ type: 'recall-text-rejected', reason: 'damaged' })));
  });
});

describe('a store that fails', () => {
  const broken = (): never => {
    throw new Error('ECONNREFUSED SECRETpassword');
  };

  it('is reported without secrets, and texts stay in memory', async () => {
    const { open, events, store } = setup();
    const recall = open({ store: { ...wrapped(store), setItem: broken } });
    await recall.archive(messages);
    expect(await recall.callTool('recall', { query: 'TypeError' })).toContain('session is undefined');
    expect(events[0]).toEqual({ type: 'recall-store-failed', operation: 'write', reason: 'ECONNREFUSED [masked]' });
  });

  it.each([
    ['throws', broken, 'ECONNREFUSED [masked]'],
    ['answers with an error', () => new Error('EACCES'), 'EACCES'],
    ['does not list keys', () => 'keys', 'The store did not return a list of keys.'],
  ])('and %s makes a miss that is not final, until it works again', async (_, getKeys, reason) => {
    const { open, events, store } = setup();
    await open().archive(messages);
    let isBroken = true;
    const recall = open({
      store: { ...wrapped(store), getKeys: (base) => (isBroken ? getKeys() : store.getKeys(base)) },
    });
    expect(await recall.callTool('recall', { query: 'TypeError' })).toContain(
      'Older messages could not be searched now.',
    );
    expect(events).toEqual([{ type: 'recall-store-failed', operation: 'list', reason }]);
    isBroken = false;
    expect(await recall.callTool('recall', { query: 'TypeError' })).toContain('session is undefined');
  });

  it('by never answering is given up after the deadline', async () => {
    const { open, events, store } = setup();
    await open().archive(messages);
    const schedule = (callback: () => void) => {
      queueMicrotask(callback);
      return () => {};
    };
    const clock = { now: () => Date.now(), schedule };
    const recall = open({ clock, store: { ...wrapped(store), getKeys: () => new Promise(() => {}) } });
    expect(await recall.callTool('recall', { query: 'TypeError' })).toContain('could not be searched now');
    expect(events).toEqual([
      { type: 'recall-store-failed', operation: 'list', reason: 'It did not answer within 2000 ms.' },
    ]);
  });
});

function wrapped(store: KeyValueStorage): KeyValueStorage {
  return {
    getItem: (key) => store.getItem(key),
    setItem: (key, value) => store.setItem(key, value),
    removeItem: (key) => store.removeItem(key),
    getKeys: (base) => store.getKeys(base),
  };
}
