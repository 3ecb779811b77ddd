import type { Message } from '@palimpsest/core';
import { user } from '@palimpsest/testkit';
import { describe, expect, it } from 'vitest';
import { contextFetch } from '../../src/fetch.ts';
import type { SharedStore } from '../../src/options/session-store.ts';
import { memoryStore } from '../../src/persistence/memory-store.ts';
import { makeSession, turns } from '../make-session.ts';

const long: Message[] = [...turns(40), user('Next.')];
const open = (store: SharedStore) => makeSession({ store, key: 'a key for several servers', id: 'chat' });

describe('a session whose state other processes write all the time', () => {
  it('does not report a working store as failed, and writes later', async () => {
    const kept = memoryStore();
    let isBusy = false;
    const save: SharedStore['save'] = async (id, text, before) => {
      const found = await kept.load(id);
      if (isBusy && found) await kept.save(id, found.text, found.version);
      return kept.save(id, text, before);
    };
    const one = open({ ...kept, save });
    await one.session.beforeRequest(long.slice(0, 80));
    isBusy = true;
    const sent = await one.session.beforeRequest(long);
    expect(sent.info.compactions.length).toBe(1);
    isBusy = false;
    await one.session.snapshot();
    expect(one.events.filter(({ type }) => type === 'store-failed')).toEqual([]);
    const other = await open(kept).session.beforeRequest(long);
    expect(JSON.stringify(other.messages)).toBe(JSON.stringify(sent.messages));
  });

  it('sends no compaction that could not be stored', async () => {
    const kept = memoryStore();
    const other = open(kept);
    const save: SharedStore['save'] = async (...given) => {
      await other.session.reset();
      return kept.save(...given);
    };
    const one = open({ ...kept, save });
    const sent = await one.session.beforeRequest(long);
    expect(sent.info.checkpoint).toBe(null);
    expect(sent.messages).toEqual(long);
  });
});

describe('a state that another process deleted', () => {
  it('stays deleted when an operation only reads, and is stored again by a request', async () => {
    const store = memoryStore();
    const [one, two] = [open(store), open(store)];
    const sent = await one.session.beforeRequest(long);
    await two.session.delete();
    await one.session.snapshot();
    await one.session.snapshot();
    expect(await store.load('chat')).toBe(null);
    await one.session.beforeRequest(long);
    const again = await open(store).session.beforeRequest(long);
    expect(JSON.stringify(again.messages)).toBe(JSON.stringify(sent.messages));
  });
});

describe('a request through contextFetch', () => {
  it('reads the store once', async () => {
    const kept = memoryStore();
    let reads = 0;
    const version: SharedStore['version'] = (id) => {
      reads++;
      return kept.version(id);
    };
    const one = open({ ...kept, version });
    const answer = { choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Done.' } }] };
    const fetch = contextFetch(one.session, { fetch: async () => Response.json(answer) });
    const post = () =>
      fetch('http://provider/v1/chat/completions', {
        method: 'POST',
        body: JSON.stringify({ model: 'm', messages: long.slice(0, 5) }),
      });
    await post();
    reads = 0;
    await post();
    expect(reads).toBe(1);
  });
});
