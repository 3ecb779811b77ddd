import { user } from '@palimpsest/testkit';
import { createStorage } from 'unstorage';
import { describe, expect, it } from 'vitest';
import { makeSession } from '../make-session.ts';

const secret = `token-${'x'.repeat(8)}`;
const redact = (text: string): string => text.replaceAll(secret, '[masked]');
const archived = [user(`The staging server is stage-7.example.com, ${secret}.`)];
const now = [user('Where is the staging server?')];
const query = { query: 'staging server stage-7' };

describe('the store of a session for archived messages', () => {
  it('keeps them over a restart, masked, and for this session only', async () => {
    const store = createStorage();
    const first = makeSession({ recall: { store }, redact });
    await first.session.archive(archived);
    const again = makeSession({ recall: { store }, redact });
    await again.session.beforeRequest(now);
    expect(await again.session.callTool('recall', query)).toContain('stage-7.example.com, [masked].');
    const other = makeSession({ recall: { store }, redact, id: 'another session' });
    await other.session.beforeRequest(now);
    expect(await other.session.callTool('recall', query)).not.toContain('example.com');
  });

  it('reports a damaged text and does not use it', async () => {
    const store = createStorage();
    await makeSession({ recall: { store } }).session.archive(archived);
    for (const key of await store.getKeys())
      await store.setItem(key, String(await store.getItem(key)).replace('stage-7', 'stage-8'));
    const { session, events } = makeSession({ recall: { store } });
    await session.beforeRequest(now);
    expect(await session.callTool('recall', query)).not.toContain('stage-8');
    expect(events).toContainEqual(expect.objectContaining({ type: 'recall-text-rejected', reason: 'damaged' }));
  });

  it.each([
    ['fails', () => Promise.reject(new Error(`no connection with ${secret}`))],
    ['is full', () => Promise.reject(new Error('ENOSPC: no space left on device'))],
  ])('that %s is reported, and the answer says what was not searched', async (_, fail) => {
    const store = { getItem: fail, setItem: fail, removeItem: fail, getKeys: fail };
    const { session, events } = makeSession({ recall: { store }, redact });
    await session.archive(archived);
    await session.beforeRequest(now);
    const answer = await session.callTool('recall', query);
    // It is still in memory, and older texts could not be read.
    expect(answer).toContain('stage-7.example.com, [masked].');
    expect(answer).toContain('Older messages could not be searched now.');
    expect(events.filter(({ type }) => type === 'recall-store-failed').length).toBeGreaterThan(0);
    expect(JSON.stringify(events)).not.toContain(secret);
  });

  it('does not hold up an answer when it is slow', async () => {
    const never = (): Promise<never> => new Promise(() => {});
    const store = { getItem: never, setItem: never, removeItem: never, getKeys: never };
    const { session, clock, events } = makeSession({ recall: { store, archive: { deadlineMs: 50 } } });
    await session.beforeRequest(now);
    const answer = session.callTool('recall', query);
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    clock.advance(60);
    expect(await answer).toContain('Older messages could not be searched now.');
    expect(events).toContainEqual(expect.objectContaining({ type: 'recall-store-failed', operation: 'list' }));
  });
});
