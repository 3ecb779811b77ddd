import type { Message } from '@palimpsest/core';
import { user } from '@palimpsest/testkit';
import { describe, expect, it } from 'vitest';
import type { SharedStore } from '../../src/options/session-store.ts';
import { memoryStore } from '../../src/persistence/memory-store.ts';
import { makeSession, turn, turns } from '../make-session.ts';

const long: Message[] = [...turns(40), user('Next.')];
const key = 'a key for several servers';
const open = (store: SharedStore, id = 'chat') => makeSession({ store, key, id });
const settled = async (): Promise<void> => {
  for (let wait = 0; wait < 20; wait++) await new Promise(setImmediate);
};

/** A store whose connection can fail. */
function createFailingStore(store: SharedStore): { store: SharedStore; isDown: boolean; calls: number } {
  const state = {
    isDown: false,
    calls: 0,
    store: {} as SharedStore,
  };
  const guard =
    <A extends unknown[], T>(call: (...given: A) => Promise<T>) =>
    async (...given: A): Promise<T> => {
      state.calls++;
      if (state.isDown) throw new Error('ECONNREFUSED');
      return call(...given);
    };
  state.store = {
    load: guard(store.load),
    save: guard(store.save),
    delete: guard(store.delete),
    version: guard(store.version),
    lease: guard(store.lease),
  };
  return state;
}

describe('two sessions of one conversation on a shared store', () => {
  it('compact once when they compact at the same moment, and send the same', async () => {
    const store = memoryStore();
    const [one, two] = [open(store), open(store)];
    const both = await Promise.all([one, two].map(({ session }) => session.beforeRequest(long)));
    expect(JSON.stringify(both[0]!.messages)).toBe(JSON.stringify(both[1]!.messages));
    expect(both[0]!.info.checkpoint).toBe(1);
    const conflicts = [...one.events, ...two.events].filter(({ type }) => type === 'store-conflict');
    expect(conflicts.length).toBe(1);
    for (const { session } of [one, two, open(store)]) {
      await session.beforeRequest(long);
      expect(session.records().length).toBe(1);
    }
  });

  it('do not conflict when they take turns, and undo what the other one did', async () => {
    const store = memoryStore();
    const [one, two] = [open(store), open(store)];
    const sent = await one.session.beforeRequest(long);
    const again = await two.session.beforeRequest(long);
    expect(JSON.stringify(again.messages)).toBe(JSON.stringify(sent.messages));
    expect(await two.session.undo()).toBe(1);
    await one.session.snapshot();
    expect(one.session.status().checkpoints).toEqual([]);
    await one.session.reset();
    await two.session.snapshot();
    expect(two.session.status().held).toBe(false);
    expect([...one.events, ...two.events].filter(({ type }) => /conflict|failed|discarded/.test(type))).toEqual([]);
  });

  it('write compactions, but not every answer', async () => {
    let writes = 0;
    const kept = memoryStore();
    const save: SharedStore['save'] = (...given) => {
      writes++;
      return kept.save(...given);
    };
    const store = { ...kept, save };
    const { session } = open(store);
    const messages: Message[] = [];
    for (let at = 0; at < 60; at++) {
      messages.push(...turn(at, 20));
      const made = await session.beforeRequest([...messages, user('Next.')]);
      session.afterResponse({ prompt_tokens: made.info.tokens, completion_tokens: 5 }, made);
      await settled();
    }
    expect(writes).toBeLessThanOrEqual(session.records().length + 60 / 25);
    expect(writes).toBeGreaterThan(0);
  });
});

describe('a shared store that fails', () => {
  it('stops no request, is not waited for again, and gets the compaction when it is back', async () => {
    const kept = memoryStore();
    const state = createFailingStore(kept);
    const one = open(state.store);
    await one.session.beforeRequest(long.slice(0, 4));
    state.isDown = true;
    const sent = await one.session.beforeRequest(long);
    expect(sent.info.checkpoint).toBe(1);
    const { calls } = state;
    await one.session.beforeRequest(long);
    expect(state.calls).toBe(calls);
    expect(one.events.filter(({ type }) => type === 'store-failed').length).toBe(1);
    state.isDown = false;
    one.clock.advance(1_000);
    // Tries the store in the background.
    await one.session.beforeRequest(long);
    await settled();
    const last = await one.session.beforeRequest(long);
    expect(JSON.stringify(last.messages)).toBe(JSON.stringify(sent.messages));
    const other = await open(kept).session.beforeRequest(long);
    expect(JSON.stringify(other.messages)).toBe(JSON.stringify(sent.messages));
  });

  it('that comes back with older data does not undo what was sent since', async () => {
    const kept = memoryStore();
    const one = open(kept);
    await one.session.beforeRequest(long.slice(0, 80));
    const old = (await kept.load('chat'))!;
    const sent = await one.session.beforeRequest(long);
    expect(one.session.records().length).toBeGreaterThan(1);
    const now = (await kept.load('chat'))!;
    await kept.save('chat', old.text, now.version);
    const again = await one.session.beforeRequest(long);
    expect(JSON.stringify(again.messages)).toBe(JSON.stringify(sent.messages));
    const other = await open(kept).session.beforeRequest(long);
    expect(JSON.stringify(other.messages)).toBe(JSON.stringify(sent.messages));
  });
});

describe('session.delete()', () => {
  it('removes the state and the archived messages', async () => {
    const store = memoryStore();
    const archived = new Map<string, unknown>();
    const storage = {
      getItem: (name: string) => archived.get(name) ?? null,
      setItem: (name: string, value: unknown) => void archived.set(name, value),
      removeItem: (name: string) => void archived.delete(name),
      getKeys: () => [...archived.keys()],
    };
    const { session } = makeSession({ store, key, id: 'chat', recall: { store: storage } });
    await session.beforeRequest(long);
    await session.archive(long.slice(0, 4));
    expect(archived.size).toBeGreaterThan(0);
    expect(await store.load('chat')).not.toBe(null);
    await session.delete();
    await session.end();
    expect(archived.size).toBe(0);
    expect(await store.load('chat')).toBe(null);
    expect(session.records()).toEqual([]);
  });

  it.each([true, false])(
    'stays in effect when another session or a late answer comes, shared store: %s',
    async (isShared) => {
      const { load, save, delete: remove, ...shared } = memoryStore();
      const store = isShared ? { load, save, delete: remove, ...shared } : { load, save, delete: remove };
      const { session } = makeSession({ store, key, id: 'chat' });
      const request = await session.beforeRequest(long);
      const before = await store.load('chat');
      expect(before).not.toBe(null);
      if (isShared) await makeSession({ store, key, id: 'chat' }).session.delete();
      else await session.delete();
      session.afterResponse({ prompt_tokens: 900, completion_tokens: 5 }, request);
      session.afterResponse({ prompt_tokens: 90_000, completion_tokens: 5 }, request);
      await session.end();
      expect(await store.load('chat')).toBe(null);
    },
  );
});

describe('a state that was deleted from the store', () => {
  const textOf = (request: { readonly messages: readonly Message[] }): string => JSON.stringify(request.messages);

  it('is dropped by sessions that have it in memory, which do not store it again', async () => {
    const store = memoryStore();
    const [one, two] = [open(store), open(store)];
    const request = await one.session.beforeRequest(long);
    await two.session.beforeRequest(long);
    await store.delete('chat');
    one.session.afterResponse({ prompt_tokens: 900, completion_tokens: 5 }, request);
    await two.session.end();
    expect(await store.load('chat')).toBe(null);
    await one.session.beforeRequest(long.slice(0, 4));
    expect(one.session.records()).toEqual([]);
    expect(one.session.status().checkpoints).toEqual([]);
    const discarded = one.events.filter(({ type }) => type === 'state-discarded');
    expect(discarded).toMatchObject([{ reason: expect.stringContaining('deleted') }]);
  });

  it('does not replace what other sessions stored since', async () => {
    const store = memoryStore();
    const [one, two] = [open(store), open(store)];
    // Several writes, so that the new state has fewer.
    for (const end of [60, 70]) await one.session.beforeRequest([...long.slice(0, end), user('Next.')]);
    await one.session.beforeRequest(long);
    await one.session.undo();
    await two.session.beforeRequest(long);
    await store.delete('chat');
    const other = await open(store).session.beforeRequest(long);
    const again = await Promise.all([one, two].map(({ session }) => session.beforeRequest(long)));
    for (const request of again) expect(textOf(request)).toBe(textOf(other));
    for (const { session } of [one, two]) expect(session.records()).toHaveLength(1);
    await one.session.end();
    expect(textOf(await open(store).session.beforeRequest(long))).toBe(textOf(other));
  });

  it('stays in memory while the store only fails', async () => {
    const state = createFailingStore(memoryStore());
    const one = open(state.store);
    const sent = await one.session.beforeRequest(long);
    state.isDown = true;
    expect(textOf(await one.session.beforeRequest(long))).toBe(textOf(sent));
    state.isDown = false;
    one.clock.advance(1_000);
    for (let times = 0; times < 2; times++) {
      expect(textOf(await one.session.beforeRequest(long))).toBe(textOf(sent));
      await settled();
    }
    expect(one.session.records()).toHaveLength(1);
  });
});
