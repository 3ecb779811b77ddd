import type { Message } from '@palimpsest/core';
import { assistant, createScriptedSummarizer, system } from '@palimpsest/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readableState } from '../../../../test/stored-state.ts';
import { makeSession, type TestSession, turn } from '../make-session.ts';
import { memoryStore } from './memory-store.ts';

const deep = process.env.PALIMPSEST_DEEP !== undefined;

const prompt = system('You are a coding agent.');

/** Runs turns until the given number of compactions was made. */
async function run({ session }: TestSession, compactions: number, history: Message[] = [prompt]): Promise<Message[]> {
  for (let index = history.length; session.records().length < compactions; index++) {
    const [request, ...rest] = turn(index);
    history.push(request!);
    const made = await session.beforeRequest(history);
    session.afterResponse({ prompt_tokens: made.info.tokens + 17, completion_tokens: 20 }, made);
    history.push(...rest.slice(0, 2), assistant('Done.'));
  }
  await session.snapshot();
  return history;
}

async function said({ session, summarizer }: TestSession, history: readonly Message[]) {
  const made = await session.beforeRequest(history);
  return {
    bytes: JSON.stringify(made.messages),
    tokens: made.info.tokens,
    checkpoint: made.info.checkpoint,
    records: session.records(),
    calls: summarizer.calls.length,
  };
}

describe('a session that is started again on its store', () => {
  it('continues as if it had never stopped', async () => {
    const store = memoryStore();
    const first = makeSession({ store });
    const history = await run(first, 2);
    const before = await said(first, history);
    await first.session.end();
    const again = makeSession({ store });
    const after = await said(again, history);
    expect(after).toEqual({ ...before, calls: 0 });
    expect(again.session.status().engine?.thresholdTokens).toBeGreaterThan(0);
    expect(again.events.find(({ type }) => type === 'state-restored')).toMatchObject({ checkpoints: 2 });
    // Undo works across the restart, and the numbers continue.
    expect(await again.session.undo()).toBe(2);
    await run(again, 3, history);
    expect(again.session.records().map(({ number }) => number)).toEqual([1, 2, 3]);
  });

  it('keeps the strikes and cooldowns of the engine', async () => {
    const store = memoryStore();
    const first = makeSession({ store, engineOptions: { abortOnSummaryFailure: true } });
    const { session } = makeSession({
      store,
      id: 'failing',
      engineOptions: { abortOnSummaryFailure: true },
      summarizer: createScriptedSummarizer({ failure: 'status', status: 503 }),
    });
    const history: Message[] = [prompt];
    for (let index = 0; index < 30; index++) history.push(...turn(index));
    await session.beforeRequest(history);
    const decision = (await session.engine()).explain(7_000);
    expect(decision.compact).toBe(false);
    await session.end();
    const again = makeSession({
      store,
      id: 'failing',
      engineOptions: { abortOnSummaryFailure: true },
      clock: first.clock,
    });
    expect((await again.session.engine()).explain(7_000)).toEqual(decision);
  });

  it('refuses the state of another session, and starts clean', async () => {
    const store = memoryStore();
    const other = makeSession({ store, id: 'other' });
    const history = await run(other, 1);
    await other.session.end();
    for (const [key, value] of [...store.values]) store.values.set(key.replace('other', 'mine'), value);
    const mine = makeSession({ store, id: 'mine' });
    expect((await mine.session.beforeRequest(history.slice(0, 5))).messages).toEqual(history.slice(0, 5));
    expect(mine.session.records()).toEqual([]);
    expect(mine.events.find(({ type }) => type === 'state-discarded')).toMatchObject({
      reason: 'It belongs to another session.',
    });
  });

  it('separates sessions whose ids differ only in case or special characters', async () => {
    const store = memoryStore();
    for (const id of ['a:b', 'a/b', 'a_b', 'A_B', 'a=3a=b', '../a', 'ä'.repeat(200), `${'ä'.repeat(199)}b`]) {
      const { session } = makeSession({ store, id });
      await session.beforeRequest([prompt, ...turn(1).slice(0, 1)]);
      session.afterResponse({ prompt_tokens: 100, completion_tokens: 1 });
      await session.end();
    }
    const names = new Set([...store.values.keys()].map((key) => key.toLowerCase()));
    expect(names.size).toBe(8);
    for (const name of names) expect(name).toMatch(/^palimpsest:session:[a-z0-9_=-]+$/);
  });

  it('stores no conversation and no secret', async () => {
    const store = memoryStore();
    const first = makeSession({ store });
    const secret = ['sk', 'live', 'Zx81kPq93LmVbT67yRwQ'].join('_');
    await run(first, 1, [prompt, { role: 'user', content: `My key is ${secret}; never tell anybody.` }]);
    await first.session.end();
    const [stored = ''] = [...store.values.values()].map(readableState);
    expect(stored).toContain('"checkpoints":[{');
    expect(stored).not.toContain(secret);
    expect(stored).not.toContain('const value_3 = compute');
  });
});

describe('a write that is cut off', () => {
  it('leaves nothing that a session cannot start with, wherever it is cut', async () => {
    const counting = memoryStore();
    let writes = 0;
    const whole = makeSession({
      store: {
        ...counting,
        save(...args) {
          writes++;
          return counting.save(...args);
        },
      },
    });
    const full = await run(whole, 2);
    await whole.session.end();
    expect(writes).toBeGreaterThan(3);
    for (let dies = 0; dies < writes; dies++)
      for (const share of deep ? [0, 0.5, 1] : [[0, 0.5, 1][dies % 3]!]) {
        const store = memoryStore();
        let count = 0;
        const { session, events } = makeSession({
          store: {
            ...store,
            async save(id, text, before) {
              if (count > dies) throw new Error('dead');
              if (count++ < dies) return store.save(id, text, before);
              if (share > 0) await store.save(id, text.slice(0, Math.floor(text.length * share)), before);
              throw new Error('dead');
            },
          },
        });
        await run({ session, events } as TestSession, 2);
        const records = session.records().length;
        await session.end();
        // The memory is lost; only the store is left.
        const again = makeSession({ store });
        const made = await again.session.beforeRequest(full);
        expect(again.session.records().length).toBeLessThanOrEqual(records + 1);
        expect(made.messages.at(-1)).toEqual(full.at(-1));
        expect(again.events.filter(({ type }) => type === 'store-failed')).toEqual([]);
        // Writes that meet are made as one, so there may be fewer.
        if (share === 0.5 && count > dies)
          expect(again.events.some(({ type }) => type === 'state-discarded')).toBe(true);
      }
  });

  it('gives a clean start and a warning when no undamaged state is left', async () => {
    const store = memoryStore();
    const first = makeSession({ store });
    const history = await run(first, 1);
    await first.session.end();
    for (const [key, value] of store.values) store.values.set(key, value.slice(0, -1));
    const again = makeSession({ store });
    await again.session.beforeRequest(history.slice(0, 3));
    expect(again.session.records()).toEqual([]);
    expect(again.events.some(({ type }) => type === 'state-discarded')).toBe(true);
  });

  it('a session starts with any content of the store', async () => {
    const store = memoryStore();
    const first = makeSession({ store });
    const history = await run(first, 1);
    const snapshot = await first.session.snapshot();
    await first.session.end();
    const keys = [...store.values.keys()];
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.string(), fc.json(), fc.constantFrom(...store.values.values())),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.string(),
        async (text, at, put) => {
          const cut = Math.floor(text.length * at);
          const values = new Map(keys.map((key) => [key, text.slice(0, cut) + put + text.slice(cut + 1)]));
          const { session } = makeSession({ store: memoryStore(values) });
          expect((await session.beforeRequest(history.slice(0, 2))).messages).toEqual(history.slice(0, 2));
        },
      ),
      { numRuns: deep ? 3_000 : 40 },
    );
    // The same for a snapshot that was changed somewhere.
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...Object.keys(snapshot)), fc.jsonValue(), async (field, value) => {
        const { session } = makeSession();
        await session.restore({ ...snapshot, [field]: value });
        await session.beforeRequest(history);
        expect((await session.beforeRequest(history.slice(0, 2))).messages).toEqual(history.slice(0, 2));
      }),
      { numRuns: deep ? 3_000 : 40 },
    );
  });

  it('a store that fails or hangs is reported, and the session works without it', async () => {
    const load = (): Promise<never> => Promise.reject(new Error('no connection'));
    const save = (): Promise<never> => Promise.reject(new Error('disk full'));
    for (const [store, operation, reason] of [
      [{ ...memoryStore(), load, save: () => expect.unreachable() }, 'read', 'no connection'],
      [{ ...memoryStore(), save }, 'write', 'disk full'],
    ] as const) {
      const failing = makeSession({ store });
      await run(failing, 1);
      const failed = failing.events.filter(({ type }) => type === 'store-failed');
      expect(failed.length).toBeGreaterThan(1);
      for (const event of failed) expect(event).toMatchObject({ operation, reason });
    }

    const hanging = makeSession({ store: { ...memoryStore(), load: () => new Promise(() => {}) } });
    const request = hanging.session.beforeRequest([prompt, ...turn(0)]);
    while (hanging.clock.pending === 0) await Promise.resolve();
    hanging.clock.advance(10_000);
    expect((await request).messages.length).toBe(5);
    expect(hanging.events.find(({ type }) => type === 'store-failed')).toMatchObject({ operation: 'read' });
  });
});
