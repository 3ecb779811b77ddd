import { user } from '@palimpsest/testkit';
import { describe, expect, it, vi } from 'vitest';
import type { SessionEvent } from '../../src/events/session-event.ts';
import { makeSession, turns } from '../make-session.ts';
import { memoryStore } from './memory-store.ts';

/** Lets running operations reach the point where they wait. */
const settled = async (): Promise<void> => {
  for (let wait = 0; wait < 20; wait++) await new Promise(setImmediate);
};

const failures = (events: readonly SessionEvent[]) =>
  events.flatMap((event) => (event.type === 'store-failed' ? [[event.operation, event.reason]] : []));
const long = [...turns(40), user('Next.')];

describe('a store that never answers', () => {
  it('delays the first request by two seconds, and no later request', async () => {
    const never = () => new Promise<never>(() => undefined);
    const { session, events, clock } = makeSession({ store: { load: never, save: never, delete: never } });
    let answered = false;
    const first = session.beforeRequest([user('Hello.')]).then(() => {
      answered = true;
    });
    await settled();
    clock.advance(1_999);
    await settled();
    expect(answered).toBe(false);
    clock.advance(1);
    await first;
    expect(failures(events)).toEqual([['read', 'It did not answer within 2000 ms.']]);
    const compacted = await session.beforeRequest(long);
    expect(compacted.info.compactions).not.toEqual([]);
  });

  it('is used when it answers later', async () => {
    const kept = memoryStore();
    let open = (): void => undefined;
    const store = (wait: Promise<void>) => ({
      ...kept,
      load: async (id: string) => {
        await wait;
        return kept.load(id);
      },
    });
    const before = makeSession({ store: store(Promise.resolve()) });
    await before.session.beforeRequest(long);
    await before.session.end();

    const later = makeSession({
      store: store(
        new Promise((resolve) => {
          open = resolve;
        }),
      ),
    });
    const first = later.session.beforeRequest([user('Hello.')]);
    await settled();
    later.clock.advance(2_000);
    await first;
    open();
    later.session.afterResponse({ promptTokens: 10, completionTokens: 1 });
    await vi.waitFor(async () => {
      await later.session.beforeRequest([user('Hello.')]);
      expect(later.events.some(({ type }) => type === 'state-restored')).toBe(true);
    });
  });

  it('does not bring back a conversation that was reset meanwhile', async () => {
    const kept = memoryStore();
    const before = makeSession({ store: kept });
    await before.session.beforeRequest(long);
    await before.session.end();
    let isDown = true;
    const load = async (id: string) => {
      if (isDown) throw new Error('The store is down.');
      return kept.load(id);
    };
    const later = makeSession({ store: { ...kept, load } });
    await later.session.beforeRequest([user('Hello.')]);
    isDown = false;
    await later.session.reset();
    await later.session.beforeRequest([user('Hello.')]);
    expect(later.session.records()).toEqual([]);
    await later.session.end();
    expect(later.events.filter(({ type }) => type === 'state-restored' || type === 'store-conflict')).toEqual([]);
    const restarted = makeSession({ store: kept });
    await restarted.session.beforeRequest(long.slice(0, 3));
    expect(restarted.session.records()).toEqual([]);
  });
});

describe('a reason with a secret', () => {
  const key = `sk-proj-${'aB3dE5fG7h'.repeat(5)}`;
  const sentence = (length: number): string => `${'x'.repeat(length)} ${key} refused`;

  it.each([170, 185, 370, 390])('is masked before it is cut, at any position: %i', async (length) => {
    const fail = (): Promise<never> => Promise.reject(new Error(sentence(length)));
    const store = { load: fail, save: fail, delete: fail };
    const beforeCompaction = () => Promise.reject(new Error(sentence(length)));
    const { session, events } = makeSession({ store, hooks: { beforeCompaction } });
    await session.beforeRequest(long);
    await session.end();
    const told = events.filter(({ type }) => type === 'store-failed' || type === 'hook-failed');
    expect(new Set(told.map(({ type }) => type))).toEqual(new Set(['store-failed', 'hook-failed']));
    expect(JSON.stringify(events)).not.toContain(key.slice(0, 14));
    for (const event of told) expect((event as { reason: string }).reason.length).toBeLessThanOrEqual(403);
  });
});
