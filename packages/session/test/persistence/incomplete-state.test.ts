import type { ContextEngine } from '@palimpsest/core';
import { assistant, createScriptedSummarizer, user } from '@palimpsest/testkit';
import { describe, expect, it } from 'vitest';
import { compressorOn, filler, makeSession } from '../make-session.ts';
import { memoryStore } from './memory-store.ts';

describe('a snapshot without one of its parts', () => {
  it.each(['refused', 'settled', 'records[0].historyMessages'])('is not used: %s', async (path) => {
    const { session } = makeSession();
    await session.compact({
      messages: [
        user('Read the log.'),
        ...Array.from({ length: 12 }, (_, at) => assistant(filler(400, at))),
        user('Go on.'),
      ],
    });
    const snapshot = JSON.parse(JSON.stringify(await session.snapshot())) as Record<string, unknown> & {
      records: Record<string, unknown>[];
    };
    expect(snapshot.records.length).toBeGreaterThan(0);
    delete (path.startsWith('records') ? snapshot.records[0]! : snapshot)[path.split('.').at(-1)!];
    const { session: other, events } = makeSession();
    await other.restore(snapshot);
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'state-discarded', reason: 'Parts of it are missing or damaged.' }),
    );
    expect(other.records()).toEqual([]);
  });
});

it('a state that the engine cannot take over is not used, and requests are prepared without it', async () => {
  const store = memoryStore();
  const history = Array.from({ length: 12 }, (_, at) => assistant(filler(400, at)));
  const messages = [user('Read the log.'), ...history, user('Go on.')];
  const first = makeSession({ store });
  await first.session.compact({ messages });
  await first.session.end();
  const second = makeSession({
    store,
    engine: (host): ContextEngine => ({
      ...compressorOn(host, createScriptedSummarizer('')),
      restore: () => Promise.reject(new Error('of another time')),
    }),
  });
  const request = await second.session.beforeRequest(messages);
  expect(request.messages).toEqual(messages);
  expect(second.events).toContainEqual(
    expect.objectContaining({ type: 'state-discarded', reason: 'The engine cannot continue with it. Error' }),
  );
  expect([second.session.records(), second.session.status().checkpoints]).toEqual([[], []]);
});
