import type { Message, Summarizer } from '@palimpsest/core';
import { type ManualClock, user } from '@palimpsest/testkit';
import { describe, expect, it } from 'vitest';
import { makeSession, turns } from '../make-session.ts';

const hanging: Summarizer = { id: 'hanging', summarize: () => new Promise(() => undefined) };
const history: Message[] = [...turns(60), user('And now?')];

/** Moves the clock on, second by second, until a promise has settled. */
async function passing<T>(promise: Promise<T>, clock: ManualClock): Promise<T> {
  let isSettled = false;
  const settled = promise.finally(() => {
    isSettled = true;
  });
  while (!isSettled) {
    await new Promise((resolve) => setImmediate(resolve));
    if (clock.pending > 0) clock.advance(1_000);
  }
  return settled;
}

describe('a summarizer that hangs', () => {
  it('holds no request: one below the end of the window is sent unchanged, and rules compact a longer one', async () => {
    for (const [window, isCompacted] of [
      [24_000, false],
      [8_000, true],
    ] as const) {
      const { session, clock } = makeSession({ window, summarizer: { ...hanging, calls: [], overrun: 0 } });
      const before = clock.now();
      const request = session.beforeRequest(history);
      for (let waits = 0; clock.pending === 0 && waits < 100; waits++) await new Promise(setImmediate);
      clock.advance(50);
      expect((await request).messages.length < history.length).toBe(isCompacted);
      expect(clock.now() - before).toBe(50);
    }
  });

  it('is waited for when the user asks for a compaction', async () => {
    const { session, events, clock } = makeSession({ summarizer: { ...hanging, calls: [], overrun: 0 } });
    await passing(session.compact({ messages: history }), clock);
    expect(events.find(({ type }) => type === 'summary-end')).toMatchObject({ durationMs: 120_000 });
  });
});
