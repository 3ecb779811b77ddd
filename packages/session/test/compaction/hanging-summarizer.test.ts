import type { Message, Summarizer } from '@palimpsest/core';
import { type ManualClock, user } from '@palimpsest/testkit';
import { describe, expect, it } from 'vitest';
import { makeSession, turn } from '../make-session.ts';

const hanging: Summarizer = { id: 'hanging', summarize: () => new Promise(() => undefined) };
const history: Message[] = [...Array.from({ length: 60 }, (_, index) => turn(index)).flat(), user('And now?')];

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
  it.each([
    ['20 s when the prompt does not fit the window', 8_000, undefined, 20_000],
    ['60 s when it does', 24_000, undefined, 60_000],
    ['as long as limits.summaryMs says', 8_000, 5_000, 5_000],
  ] as const)('holds a request for at most %s; then rules write the summary', async (_, window, summaryMs, most) => {
    const { session, events, clock } = makeSession({
      window,
      summarizer: { ...hanging, calls: [], overrun: 0 },
      limits: { summaryMs },
    });
    const request = await passing(session.beforeRequest(history), clock);
    const end = events.find(({ type }) => type === 'summary-end');
    expect(end).toMatchObject({ durationMs: most, failure: 'transient' });
    expect(request.messages.length).toBeLessThan(history.length);
    expect(events.find(({ type }) => type === 'compress-end')).toMatchObject({ outcome: 'degraded', modelCalls: 1 });
  });

  it('is waited for when the user asks for a compaction', async () => {
    const { session, events, clock } = makeSession({ summarizer: { ...hanging, calls: [], overrun: 0 } });
    await passing(session.compact({ messages: history }), clock);
    expect(events.find(({ type }) => type === 'summary-end')).toMatchObject({ durationMs: 120_000 });
  });
});
