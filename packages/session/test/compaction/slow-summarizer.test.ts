import type { Message, Summarizer } from '@palimpsest/core';
import { user } from '@palimpsest/testkit';
import { expect, it } from 'vitest';
import { makeSession, turns } from '../make-session.ts';

it('a summarizer that is slower than the client waits costs one call, and the retry is sent without it', async () => {
  let calls = 0;
  let cancel = (): void => undefined;
  const slow: Summarizer = {
    id: 'slow',
    summarize: ({ signal }) =>
      new Promise((_, reject) => {
        calls++;
        signal?.addEventListener('abort', () => reject(signal.reason as Error));
        // Like the client's own timeout while the summarizer writes.
        queueMicrotask(() => cancel());
      }),
  };
  const { session, events } = makeSession({ summarizer: { ...slow, calls: [], overrun: 0 } });
  const history: Message[] = turns(40);
  const attempt = (): Promise<{ readonly messages: readonly unknown[] }> => {
    const client = new AbortController();
    cancel = () => client.abort();
    return session.beforeRequest([...history, user('And now?')], { signal: client.signal });
  };
  await expect(attempt()).rejects.toThrow();
  expect(calls).toBe(1);
  expect(events.filter(({ type }) => type === 'compaction-end')).toEqual([]);
  const retried = await attempt();
  expect(retried.messages.length).toBeLessThan(history.length / 2);
  expect(calls).toBe(1);
});
