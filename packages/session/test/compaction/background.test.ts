import type { Message, SummarizeRequest, SummarizeResponse, Summarizer } from '@palimpsest/core';
import { user, writtenSummary } from '@palimpsest/testkit';
import { describe, expect, it } from 'vitest';
import { makeSession, type TestSession, type TestSessionOptions, turn } from '../make-session.ts';

/** A summarizer that waits until the test releases it. */
function heldBack() {
  const calls: { readonly request: SummarizeRequest; readonly answer: () => void }[] = [];
  const summarizer: Summarizer = {
    id: 'held back',
    summarize: (request) =>
      new Promise<SummarizeResponse>((resolve, reject) => {
        request.signal?.addEventListener('abort', () => reject(request.signal!.reason as Error));
        calls.push({ request, answer: () => resolve({ text: writtenSummary(request) }) });
      }),
  };
  return { calls, summarizer };
}

function session(
  more: TestSessionOptions = {},
): TestSession & { readonly calls: ReturnType<typeof heldBack>['calls'] } {
  const { calls, summarizer } = heldBack();
  return {
    ...makeSession({ background: { at: 0.5 }, ...more, summarizer: { ...summarizer, calls: [], overrun: 0 } }),
    calls,
  };
}

/** Runs turns until a plan is started, from a history that is long enough for a summary. */
async function untilPlanned(made: ReturnType<typeof session>): Promise<Message[]> {
  const history: Message[] = [turn(300), turn(301), turn(302), turn(303), turn(304)].flat();
  for (let index = 0; made.calls.length === 0; index++) {
    history.push(...turn(index));
    await made.session.beforeRequest([...history, user(`Go on ${index}.`)]);
    for (let wait = 0; wait < 50; wait++) await Promise.resolve();
  }
  return history;
}

describe('a plan in the background', () => {
  it('is made while the agent goes on, and committed in a later turn', async () => {
    const made = session();
    const history = await untilPlanned(made);
    expect(made.events.some(({ type }) => type === 'plan-start')).toBe(true);
    // Meanwhile, the agent goes on with the whole history.
    history.push(...turn(100));
    expect((await made.session.beforeRequest(history)).messages).toEqual(history);
    made.calls[0]!.answer();
    await made.session.snapshot();
    for (let wait = 0; wait < 50; wait++) await Promise.resolve();
    history.push(...turn(101));
    const swapped = await made.session.beforeRequest(history);
    expect(swapped.info.checkpoint).toBe(1);
    expect(swapped.messages.slice(-4)).toEqual(history.slice(-4));
    expect(made.session.records().map(({ trigger }) => trigger)).toEqual(['background']);
    expect(made.calls.length).toBe(1);
  });

  it('is dropped when its conversation was changed, and the state of the engine is restored', async () => {
    const made = session();
    const history = await untilPlanned(made);
    const before = (await made.session.engine()).snapshot();
    made.calls[0]!.answer();
    for (let wait = 0; wait < 100; wait++) await Promise.resolve();
    const changed = [user('Something else entirely.'), ...history.slice(1), ...turn(100)];
    const sent = await made.session.beforeRequest(changed);
    expect(sent.messages).toEqual(changed);
    expect(made.events.some(({ type }) => type === 'plan-drop')).toBe(true);
    expect(made.session.records()).toEqual([]);
    expect((await made.session.engine()).snapshot().state).toEqual(before.state);
  });

  it('is awaited when the threshold is reached first, and not made twice', async () => {
    const made = session();
    const history = await untilPlanned(made);
    for (let index = 200; index < 212; index++) history.push(...turn(index));
    const request = made.session.beforeRequest(history);
    for (let wait = 0; wait < 50; wait++) await Promise.resolve();
    expect(made.calls.length).toBe(1);
    made.calls[0]!.answer();
    for (let wait = 0; wait < 100; wait++) await Promise.resolve();
    // Later messages may need a compaction of their own.
    made.calls[1]?.answer();
    expect((await request).info.checkpoint).not.toBe(null);
    const first = new Set(made.calls[0]!.request.material.messages);
    for (const message of made.calls[1]?.request.material.messages ?? []) expect(first.has(message)).toBe(false);
  });

  it('is cancelled by session.compact', async () => {
    const made = session();
    const history = await untilPlanned(made);
    const compacting = made.session.compact({ messages: history });
    for (let wait = 0; wait < 200 && made.calls.length < 2; wait++) await Promise.resolve();
    made.calls[1]!.answer();
    expect((await compacting).noop).toBe(false);
    expect(made.session.records().map(({ trigger }) => trigger)).toEqual(['manual']);
  });
});
