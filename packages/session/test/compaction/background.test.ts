import type { ContextEngine, Message, SummarizeRequest, SummarizeResponse, Summarizer } from '@palimpsest/core';
import { assistant, call, result, user, writeShortSummary } from '@palimpsest/testkit';
import { describe, expect, it } from 'vitest';
import type { PreparedRequest } from '../../src/conversation/prepared-request.ts';
import { compressorOn, filler, makeSession, type TestSessionOptions } from '../make-session.ts';

const usage = { promptTokens: 9_000, completionTokens: 300 };

/** A session with a summarizer that waits until the test releases it. @param obeys false if it ignores its signal */
function heldBack({ obeys = true, ...options }: TestSessionOptions & { readonly obeys?: boolean } = {}) {
  const calls: { readonly request: SummarizeRequest; readonly answer: (text?: string) => void }[] = [];
  const summaries: Summarizer = {
    id: 'held back',
    summarize: (request) =>
      new Promise<SummarizeResponse>((resolve, reject) => {
        if (obeys) request.signal?.addEventListener('abort', () => reject(request.signal!.reason as Error));
        calls.push({ request, answer: (text = writeShortSummary(request)) => resolve({ text, usage }) });
      }),
  };
  const made = makeSession({
    window: 16_000,
    engine: (host) => compressorOn(host, host.summarizer as never, { minimumThreshold: 0, threshold: 0.5 }),
    ...options,
    summaries,
  });
  const history: Message[] = [];
  const settled = async (): Promise<void> => {
    for (let wait = 0; wait < 20; wait++) await new Promise(setImmediate);
  };
  /** Sends a request with more turns, and answers it. */
  const request = async (turns: number): Promise<PreparedRequest> => {
    for (let count = 0; count < turns; count++)
      history.push(user(`Request ${history.length}.`), assistant(filler(250, history.length)));
    const preparing = made.session.beforeRequest([...history, user('Go on.')]);
    await settled();
    // The longest wait for a plan.
    made.clock.advance(50);
    const prepared = await preparing;
    made.session.afterResponse({ prompt_tokens: prepared.info.tokens, completion_tokens: 10 }, prepared);
    await settled();
    return prepared;
  };
  const untilAsked = async (): Promise<void> => {
    for (let tries = 0; calls.length === 0 && tries < 60; tries++) await request(1);
    expect(calls.length).toBe(1);
  };
  return { ...made, calls, history, request, settled, untilAsked };
}

const plannerState = (engine: ContextEngine): unknown => (engine.snapshot().state as { planner: unknown }).planner;

describe('a plan in the background', () => {
  it('is made after the answer that crosses the threshold, and used by the first request after the page', async () => {
    const { calls, history, request, session, settled, untilAsked } = heldBack();
    await untilAsked();
    // Meanwhile, the agent continues with the whole history.
    const meanwhile = await request(1);
    expect(meanwhile.messages).toEqual([...history, user('Go on.')]);
    calls[0]!.answer();
    await settled();
    const swapped = await request(1);
    expect(swapped.info.checkpoint).toBe(1);
    expect(swapped.messages.slice(-5)).toEqual([...history.slice(-4), user('Go on.')]);
    expect(session.records()).toMatchObject([{ trigger: 'threshold', modelCalls: 1 }]);
    expect(calls.length).toBe(1);
  });

  it('is used although a large result arrives with the next request, which is shortened as well', async () => {
    const { calls, events, history, session, settled, untilAsked } = heldBack({ shapeResults: true });
    await untilAsked();
    calls[0]!.answer();
    await settled();
    const arrived = [
      assistant(null, call('c1', 'bash', { command: 'cat a.ts' })),
      result('c1', filler(4_000, 'large')),
    ];
    const { messages, info } = await session.beforeRequest([...history, user('Read it.'), ...arrived]);
    expect(events.filter(({ type }) => type === 'plan-drop')).toEqual([]);
    expect(info.compactions.some(({ modelCalls }) => modelCalls === 1)).toBe(true);
    expect(String(messages.at(-1)!.content).length).toBeLessThan(8_000);
  });

  it('is used although a large result was shortened while its page was written', async () => {
    const { calls, events, history, request, session, settled, untilAsked } = heldBack({ shapeResults: true });
    await untilAsked();
    const arrived = [
      user('Read it.'),
      assistant(null, call('c1', 'bash', { command: 'cat a.ts' })),
      result('c1', filler(4_000, 'large')),
    ];
    const preparing = session.beforeRequest([...history, ...arrived]);
    await settled();
    expect((await preparing).info.checkpoint).not.toBeNull();
    history.push(...arrived, assistant('It is read.'));
    calls[0]!.answer('## Goal\nThe page says that port 4711 is taken.');
    await settled();
    const { info, messages } = await request(1);
    expect(events.filter(({ type }) => type === 'plan-drop')).toEqual([]);
    expect(info.compactions).toMatchObject([{ modelCalls: 1, trigger: 'threshold' }]);
    expect(JSON.stringify(messages)).toContain('port 4711 is taken');
    // The result stays as short as it was sent.
    expect(String(messages.find(({ role }) => role === 'tool')!.content).length).toBeLessThan(8_000);
  });

  it('that saved little next to what arrived meanwhile is followed by the passes that the request needs', async () => {
    const { calls, history, session, settled, untilAsked } = heldBack();
    await untilAsked();
    calls[0]!.answer();
    await settled();
    const rest = Array.from({ length: 60 }, (_, at) => [user(`More ${at}.`), assistant(filler(250, `m${at}`))]).flat();
    const { info } = await session.beforeRequest([...history, ...rest, user('Go on.')]);
    expect(info.compactions.length).toBeGreaterThan(1);
    expect(info.tokens).toBeLessThan(16_000);
    expect(info.compactions.map(({ trigger }) => trigger)).not.toContain('results');
  });

  it('is dropped when its conversation was changed, and the engine stays as it was', async () => {
    const { calls, events, history, session, settled, untilAsked } = heldBack();
    await untilAsked();
    const before = plannerState(await session.engine());
    calls[0]!.answer();
    await settled();
    const changed = [user('Something else entirely.'), ...history.slice(1), user('And?')];
    expect((await session.beforeRequest(changed)).messages).toEqual(changed);
    expect(events.some(({ type }) => type === 'plan-drop')).toBe(true);
    expect(session.records()).toEqual([]);
    expect(plannerState(await session.engine())).toEqual(before);
  });

  it('leaves the engine alone until it is used, also with what was reported meanwhile', async () => {
    const { calls, request, session, settled, untilAsked } = heldBack();
    await untilAsked();
    const engine = await session.engine();
    calls[0]!.answer();
    await settled();
    expect(engine.state.compactionCount).toBe(0);
    const { tokens } = (await request(1)).info;
    expect(engine.state).toMatchObject({ compactionCount: 1, lastPromptTokens: tokens });
    expect(session.records()).toHaveLength(1);
  });

  it('gives way to rules when the window is full, and the next page takes over the one that came too late', async () => {
    const { calls, events, request, session, settled, untilAsked } = heldBack();
    await untilAsked();
    await request(24);
    expect(session.records()).toMatchObject([{ trigger: 'hygiene', modelCalls: 0 }]);
    calls[0]!.answer('## Goal\nThe late page says that port 4711 is taken.');
    await settled();
    expect(events.filter(({ type }) => type === 'summary-late')).toMatchObject([{ summarizer: 'held back', usage }]);
    for (let tries = 0; calls.length < 2 && tries < 60; tries++) await request(1);
    expect(calls[1]!.request.prompt).toContain('port 4711 is taken');
    expect(calls[1]!.request.instruction).toContain('port 4711 is taken');
    calls[1]!.answer();
    await settled();
    const last = await request(1);
    expect(last.info.compactions).toMatchObject([{ modelCalls: 1, outcome: 'compacted' }]);
    expect(events.filter(({ type }) => type === 'summary-end')).not.toContainEqual(
      expect.objectContaining({ failure: 'transient' }),
    );
  });

  it.each([
    ['undo', async ({ session }: ReturnType<typeof heldBack>) => session.undo()],
    ['reset', async ({ session }: ReturnType<typeof heldBack>) => session.reset()],
    ['end', async ({ session }: ReturnType<typeof heldBack>) => session.end()],
  ] as const)('is ended by %s, with its call', async (_, act) => {
    const made = heldBack();
    await made.untilAsked();
    await act(made);
    expect(made.calls[0]!.request.signal?.aborted).toBe(true);
  });

  it('that was cancelled does not reach the next conversation, even if its summarizer continues', async () => {
    const { calls, history, request, session, settled, untilAsked } = heldBack({ obeys: false });
    await untilAsked();
    await session.reset();
    history.length = 0;
    calls[0]!.answer('## Goal\nThe old page says that port 4711 is taken.');
    await settled();
    for (let tries = 0; calls.length < 2 && tries < 60; tries++) await request(1);
    expect(calls[1]!.request.prompt).not.toContain('4711');
    expect(calls[1]!.request.instruction).not.toContain('4711');
  });

  it.each([
    ['another conversation on the same session', 0],
    ['a conversation that was rewound to its first message', 1],
  ])('that came too late does not reach %s', async (_, kept) => {
    const { calls, history, request, settled, untilAsked } = heldBack();
    await untilAsked();
    await request(24);
    calls[0]!.answer('## Goal\nThe late page says that port 4711 is taken.');
    await settled();
    history.splice(kept, history.length, user('Another task.'), assistant('Yes.'));
    for (let tries = 0; calls.length < 2 && tries < 60; tries++) await request(1);
    expect(JSON.stringify(calls[1]!.request.material)).toContain('Another task.');
    expect(calls[1]!.request.prompt).not.toContain('4711');
    expect(calls[1]!.request.instruction).not.toContain('4711');
  });

  it('is used before rules when the running request is refused', async () => {
    const { calls, history, session, settled, untilAsked } = heldBack();
    await untilAsked();
    const prepared = await session.beforeRequest([...history, user('Go on.')]);
    calls[0]!.answer('## Goal\nThe page says that port 4711 is taken.');
    await settled();
    const refusal = { status: 400, message: 'prompt is too long' };
    const recovery = await session.recover(session.adapter.failureOf(refusal, prepared), prepared);
    expect(recovery.retry).toBe(true);
    expect(session.records()[0]).toMatchObject({ modelCalls: 1 });
    const again = await session.beforeRequest([...history, user('Go on.')]);
    expect(JSON.stringify(again.messages)).toContain('port 4711 is taken');
  });

  it('does not hold up a request whose connection is closed', async () => {
    const { calls, history, session, settled, untilAsked } = heldBack();
    await untilAsked();
    // A larger prompt than those that were answered, so that its size is suspected.
    const prepared = await session.beforeRequest([...history, user(filler(250, 1))]);
    const closed = session.adapter.failureOf(
      Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }),
      prepared,
    );
    let recovered = 0;
    for (const _try of [1, 2]) {
      void session.recover(closed, prepared).then(() => recovered++);
      await settled();
    }
    expect(recovered).toBe(2);
    expect(calls.length).toBe(1);
  });

  it('is cancelled by session.compact, which waits for its own page', async () => {
    const { calls, history, session, settled, untilAsked } = heldBack();
    await untilAsked();
    const compacting = session.compact({ messages: history });
    await settled();
    calls[1]!.answer();
    expect((await compacting).noop).toBe(false);
    expect(session.records().map(({ trigger }) => trigger)).toEqual(['manual']);
  });

  it('is not made after the end of the session', async () => {
    const { calls, history, session, settled } = heldBack();
    for (let count = 0; count < 34; count++) history.push(user(`Request ${count}.`), assistant(filler(250, count)));
    const last = await session.beforeRequest([...history.slice(0, 50), user('Go on.')]);
    await session.end();
    session.afterResponse({ prompt_tokens: 9_000, completion_tokens: 10 }, last);
    await settled();
    expect(calls).toEqual([]);
  });

  it('waits for a quarter of an hour after three pages in a row that could not be used', async () => {
    const { calls, clock, request, settled, untilAsked } = heldBack();
    await untilAsked();
    for (const count of [1, 2, 3]) {
      expect(calls.length).toBe(count);
      calls[count - 1]!.answer('');
      await settled();
      clock.advance(60_000);
      await request(1);
    }
    expect(calls.length).toBe(3);
    clock.advance(900_000);
    await request(1);
    expect(calls.length).toBe(4);
  });

  it('is started by tidy, which does not wait for the page', async () => {
    const { calls, clock, history, request, session, settled } = heldBack({
      hygiene: { idle: { afterMs: 1_000, at: 0.5 } },
    });
    await request(25);
    clock.advance(2_000);
    const tidied = session.tidy(history);
    await settled();
    clock.advance(50);
    expect(await tidied).toBeNull();
    calls[0]!.answer();
    await settled();
    expect((await session.tidy(history))?.noop).toBe(false);
  });

  it('is made known to a platform that stops with the response', async () => {
    const work: Promise<unknown>[] = [];
    const { calls, settled, untilAsked } = heldBack({ waitUntil: (promise) => work.push(promise) });
    await untilAsked();
    calls[0]!.answer();
    await settled();
    expect(work).toHaveLength(1);
    await Promise.all(work);
  });
});
