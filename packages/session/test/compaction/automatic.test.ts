import { PalimpsestError } from '@palimpsest/core';
import { assistant, result, user } from '@palimpsest/testkit';
import { describe, expect, it } from 'vitest';
import { makeSession, turns } from '../make-session.ts';

describe('auto: false', () => {
  it('still repairs broken input', async () => {
    const { session, events } = makeSession({ auto: false });
    const { messages } = await session.beforeRequest([user('Read it.'), result('call_0', 'An orphan.'), user('And?')]);
    expect(messages).toEqual([user('Read it.'), user('And?')]);
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'input-repaired', repairs: { 'result-removed': 1 } }),
    );
  });

  it('changes no request, and compact() still works', async () => {
    const { session, summarizer, events, clock } = makeSession({
      auto: false,
      hygiene: { messages: 20, idle: { afterMs: 1, at: 0 } },
    });
    const messages = turns(30);
    for (let again = 0; again < 2; again++) {
      const made = await session.beforeRequest(messages);
      expect(made.messages).toEqual(messages);
      expect(made.info.warnings).toEqual([expect.stringContaining('automatic compaction is off')]);
      clock.advance(1_000_000);
    }
    expect(await session.tidy()).toBe(null);
    expect(summarizer.calls).toEqual([]);
    // Reported once.
    expect(events.filter(({ type }) => type === 'compaction-blocked')).toMatchObject([{ reason: 'auto-off' }]);
    expect((await session.compact()).noop).toBe(false);
    expect((await session.beforeRequest(messages)).messages.length).toBeLessThan(messages.length);
  });

  it('throws an error that explains it when the provider refuses the request', async () => {
    const { session, summarizer } = makeSession({ auto: false });
    const refusal = Object.assign(new Error('prompt is too long'), { status: 400 });
    const thrown: unknown = await session
      .run(turns(30), () => Promise.reject(refusal))
      .catch((error: unknown) => error);
    expect(PalimpsestError.is(thrown) && thrown.code).toBe('COMPACTION_EXHAUSTED');
    expect((thrown as Error).message).toContain('Automatic compaction is off (auto: false). Call compact()');
    expect((thrown as Error).cause).toBe(refusal);
    expect(summarizer.calls).toEqual([]);
  });

  it('rejects other values', () => {
    expect(() => makeSession({ auto: 'no' as never })).toThrow(/auto: expected true, false or 'window'/);
  });
});

describe("auto: 'window'", () => {
  it('compacts what does not fit the window, and nothing before', async () => {
    const { session, events, clock } = makeSession({ auto: 'window', window: 10_000, hygiene: { messages: 20 } });
    // More than 85 % of the window, less than all of it.
    const messages = turns(31);
    expect((await session.beforeRequest(messages)).messages).toEqual(messages);
    clock.advance(1_000_000);
    expect(await session.tidy()).toBe(null);
    expect(events.filter(({ type }) => type.startsWith('compaction'))).toEqual([]);
    const { info } = await session.beforeRequest(turns(60));
    expect(info.compactions).toMatchObject([{ trigger: 'window' }]);
  });

  it('compacts what the provider refused', async () => {
    const { session } = makeSession({ auto: 'window', window: 10_000 });
    const refusal = Object.assign(new Error('prompt is too long'), { status: 400 });
    let calls = 0;
    await session.run(turns(25), () => (calls++ === 0 ? Promise.reject(refusal) : Promise.resolve({})));
    expect(session.records()).toMatchObject([{ trigger: 'overflow' }]);
  });
});

describe('undo', () => {
  it('pauses automatic compaction until the prompt no longer fits', async () => {
    const { session, events } = makeSession({ window: 10_000 });
    // More than 85 % of the window, less than all of it.
    const messages = turns(31);
    const compacted = await session.beforeRequest(messages);
    expect(compacted.info.compactions.length).toBe(1);
    expect(await session.undo()).toBe(1);
    expect(session.status().held).toBe(true);
    expect(events.find(({ type }) => type === 'checkpoint-undo')).toMatchObject({ holds: true });
    const after = await session.beforeRequest(messages);
    expect(after.info.tokens).toBeGreaterThan(8_500);
    expect(after.messages).toEqual(messages);
    const over = await session.beforeRequest([...messages, assistant('Done.'), ...turns(5).slice(1), user('Next.')]);
    expect(over.info.compactions.length).toBeGreaterThan(0);
    expect(session.status().held).toBe(false);
  });

  it('can be held and resumed by hand, and tells at which size it compacts', async () => {
    const { session } = makeSession({ window: 10_000 });
    expect(session.status().compactsAt).toBeNull();
    await session.beforeRequest(turns(5));
    const { compactsAt } = session.status();
    expect(compactsAt).toBeLessThanOrEqual(8_500);
    await session.hold(true);
    expect(session.status()).toMatchObject({ held: true, compactsAt: 10_000 });
    // More than 85 % of the window, less than all of it.
    const messages = turns(31);
    expect((await session.beforeRequest(messages)).messages).toEqual(messages);
    await session.hold(false);
    expect(session.status()).toMatchObject({ held: false, compactsAt });
    expect((await session.beforeRequest(messages)).info.compactions.length).toBe(1);
  });

  it('reports when it cannot pause', async () => {
    const { session, events } = makeSession();
    const messages = turns(40);
    await session.beforeRequest(messages);
    expect(await session.undo()).toBe(1);
    expect(session.status().held).toBe(false);
    expect(events.find(({ type }) => type === 'checkpoint-undo')).toMatchObject({
      holds: false,
      message: expect.stringContaining('does not fit the window, so the next request is compacted again'),
    });
    expect((await session.beforeRequest(messages)).info.compactions.length).toBe(1);
  });
});
