import { manualClock, user } from '@palimpsest/testkit';
import { describe, expect, it } from 'vitest';
import type { SessionEvent } from '../../src/events/session-event.ts';
import type { SharedStore } from '../../src/options/session-store.ts';
import { memoryStore } from '../../src/persistence/memory-store.ts';
import { storeHealth } from '../../src/persistence/store-health.ts';
import { makeSession } from '../make-session.ts';

const settled = async (): Promise<void> => {
  for (let wait = 0; wait < 20; wait++) await new Promise(setImmediate);
};

/** A store that fails with an error while there is one. */
function createFailing(failure: { error: unknown; calls: number }): SharedStore {
  const guard =
    <A extends unknown[], T>(call: (...given: A) => Promise<T>) =>
    async (...given: A): Promise<T> => {
      failure.calls++;
      if (failure.error !== null) throw failure.error;
      return call(...given);
    };
  const { load, save, delete: remove, version, lease } = memoryStore();
  return {
    load: guard(load),
    save: guard(save),
    delete: guard(remove),
    version: guard(version),
    lease: guard(lease),
  };
}

const failuresIn = (events: readonly SessionEvent[]) =>
  events.flatMap((event) => (/^store-(failed|back)$/.test(event.type) ? [event] : []));

describe('sessions that use one store', () => {
  it('leave it alone after one of them failed, use it again together, and one of them says that it is back', async () => {
    const failure = { error: null as unknown, calls: 0 };
    const store = createFailing(failure);
    const [one, two] = ['one', 'two'].map((id) => makeSession({ store, id }));
    for (const { session } of [one!, two!]) await session.beforeRequest([user('Hello.')]);
    failure.error = new Error('down');
    await one!.session.snapshot();
    await one!.session.snapshot();
    expect(storeHealth(store).isUp).toBe(false);
    const { calls } = failure;
    await two!.session.snapshot();
    expect(failure.calls).toBe(calls);
    one!.clock.advance(1_000);
    await two!.session.snapshot();
    await settled();
    expect(failure.calls).toBe(calls + 1);
    failure.error = null;
    one!.clock.advance(1_000);
    expect(storeHealth(store).isUp).toBe(false);
    await settled();
    expect(failure.calls).toBe(calls + 1);
    expect(storeHealth(store).retry()).toBe(false);
    await settled();
    expect(storeHealth(store).isUp).toBe(true);
    expect(failuresIn(two!.events)).toEqual([]);
    expect(failuresIn(one!.events)).toMatchObject([
      { type: 'store-failed', operation: 'read', reason: 'down' },
      { type: 'store-back', downMs: 2_000 },
    ]);
  });

  it('use it again when a session that is opened could read it', async () => {
    const failure = { error: new Error('down') as unknown, calls: 0 };
    const store = createFailing(failure);
    const one = makeSession({ store, id: 'one' });
    await one.session.beforeRequest([user('Hello.')]);
    failure.error = null;
    await makeSession({ store, id: 'two' }).session.beforeRequest([user('Hello.')]);
    expect(storeHealth(store).isUp).toBe(true);
    expect(failuresIn(one.events).map(({ type }) => type)).toEqual(['store-failed', 'store-back']);
  });
});

it('a session that is the only writer says that its store is back, too', async () => {
  const failure = { error: new Error('down') as unknown, calls: 0 };
  const { load, save, delete: remove } = createFailing(failure);
  const { session, clock, events } = makeSession({ store: { load, save, delete: remove } });
  const request = await session.beforeRequest([user('Hello.')]);
  failure.error = null;
  clock.advance(500);
  session.afterResponse({ promptTokens: 10, completionTokens: 1 }, request);
  await session.end();
  expect(failuresIn(events)).toMatchObject([{ type: 'store-failed' }, { type: 'store-back', downMs: 500 }]);
});

describe('the reason of a failure', () => {
  const withFields = (fields: object, message = ''): Error => Object.assign(new Error(message), fields);

  it.each([
    ['it does not answer', withFields({ name: 'MaxRetriesPerRequestError' }, 'Reached the max retries (which is 1).')],
    ['it does not answer', withFields({ code: 'ECONNREFUSED' })],
    ['READONLY You are not allowed to write.', new Error('READONLY You are not allowed to write.\nscript: 0x0')],
    ['57P01', withFields({ code: '57P01' })],
    ['it failed with a value that is not an Error', 'no'],
  ])('is "%s"', (reason, error) => {
    const health = storeHealth(memoryStore());
    expect(health.noteFailure(error, () => undefined, manualClock())).toBe(reason);
  });
});
