import { memoryStore, type SharedStore } from '@palimpsest/session';
import { describe, expect, it } from 'vitest';
import { ConversationIndex } from '../../src/conversations/conversation-index.ts';
import { forkOf, readHistory } from '../../src/conversations/opening.ts';

const said = (...texts: string[]) =>
  texts.map((content, at) => ({ role: at % 2 === 0 ? 'user' : 'assistant', content }));
const identity = (texts: readonly string[], key = 'k', scope = 'acme/openai chat') => ({
  scope,
  key,
  ...readHistory(said(...texts)),
});
const open = (sessions: SharedStore = memoryStore(), failures: string[] = []) =>
  new ConversationIndex(
    { place: 'memory', sessions, isRemote: true, ids: async () => [], close: async () => undefined },
    { storeFailed: (reason) => failures.push(reason), storeBack: () => undefined },
  );

describe('the id of a conversation', () => {
  it('stays the same while it grows, in every process, and with other instructions', () => {
    const { id } = new ConversationIndex().ids(identity(['task', 'a', 'b']));
    for (const texts of [
      ['task', 'a', 'b', 'c', 'd'],
      ['task', 'a', 'other'],
    ])
      expect(new ConversationIndex().ids(identity(texts)).id).toBe(id);
    const instructed = readHistory([{ role: 'system', content: 'Be brief.' }, ...said('task', 'a', 'b')]);
    expect(new ConversationIndex().ids({ ...identity(['task']), ...instructed }).id).toBe(id);
  });

  it('differs with the first answer, the agent, the tenant, and the provider', () => {
    const ids = [
      identity(['task']),
      identity(['task', 'a', 'b']),
      identity(['task', 'b', 'b']),
      identity(['task', 'a', 'b'], 'other'),
      identity(['task', 'a', 'b'], 'k', 'other/openai chat'),
      identity(['task', 'a', 'b'], 'k', 'acme/anthropic messages'),
    ].map((each) => new ConversationIndex().ids(each).id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('is one of its own after a fork, which other processes read', async () => {
    const store = memoryStore();
    const [one, other] = [open(store), open(store)];
    const [first, second] = [identity(['task', 'a', 'b', 'c', 'd']), identity(['task', 'a', 'x', 'y', 'z'])];
    const { id } = one.ids(first);
    expect(one.ids(second).id).toBe(id);
    await one.add(second, forkOf(first.chain, second));
    const forked = [first, second].map((each) => one.ids(each).id);
    expect(new Set([id, ...forked]).size).toBe(3);
    for (const each of [first, second]) expect(one.ids(each).earlier).toEqual([id]);
    await other.read(first);
    expect([first, second].map((each) => other.ids(each).id)).toEqual(forked);
    // A conversation that does not pass the fork keeps its id.
    expect(other.ids(identity(['task', 'a'])).first).toBe(one.ids(identity(['task'])).id);
  });

  it('stays when its history is replaced by a summary, also whether it is held out', async () => {
    const store = memoryStore();
    const before = identity(['task', 'a', 'b', 'c', 'd']);
    const after = identity(['summary', 'c', 'd', 'e', 'f']);
    const index = open(store);
    const { id } = index.ids(before);
    await index.noteReplaced({ ...after, id, isHeldOut: true }, before.chain);
    const other = open(store);
    expect(other.ids(after).id).not.toBe(id);
    await other.read(after);
    expect(other.ids(after).id).toBe(id);
    expect(other.isHeldOut(after)).toBe(true);
    expect(other.isHeldOut(before)).toBeNull();
  });

  it('of another session of the agent is found by the same opening', async () => {
    const store = memoryStore();
    const conversation = identity(['task', 'a', 'b']);
    const index = open(store);
    const { id } = index.ids(conversation);
    await index.noteCompacted({ ...conversation, id });
    const other = open(store);
    const continued = identity(['task', 'a', 'b', 'c', 'd'], 'another session');
    await other.read(continued);
    expect(other.relativesOf(continued, other.ids(continued).id)).toEqual([id]);
    expect(other.relativesOf(identity(['task', 'b', 'b']), 'any')).toEqual([]);
  });
});

describe('a store', () => {
  it('gets the entries of many processes at once', async () => {
    const store = memoryStore();
    const first = identity(['task', 'a', 'b', 'c', 'd']);
    await Promise.all(
      Array.from({ length: 10 }, (_, at) => open(store).noteCompacted({ ...first, id: `conversation ${at}` })),
    );
    const index = open(store);
    await index.read(first);
    expect(index.relativesOf(first, '')).toHaveLength(10);
  });

  it('that fails is reported, not used for a while, and written when it answers again', async () => {
    const [store, failures] = [memoryStore(), [] as string[]];
    let isDown = true;
    const load: SharedStore['load'] = (id) => (isDown ? Promise.reject(new Error('down')) : store.load(id));
    const index = open({ ...store, load }, failures);
    const first = identity(['task', 'a', 'b']);
    await index.noteCompacted({ ...first, id: 'one' });
    await index.read(first);
    expect(failures).toEqual(['down']);
    expect(index.isBehind(first)).toBe(true);
    isDown = false;
    const other = open({ ...store, load });
    await other.noteCompacted({ ...first, id: 'two' });
    expect(other.isBehind(first)).toBe(false);
  });

  it('with damaged entries is read without them', async () => {
    const store = memoryStore();
    const index = open(store);
    const first = identity(['task', 'a', 'b']);
    await index.noteCompacted({ ...first, id: 'one' });
    const saved: string[] = [];
    const damaged = open({
      ...store,
      load: async (id) => ({ ...(await store.load(id))!, text: '{"entries":[1,{"kind":"fork"}],"savedAt":1}' }),
      save: async (id, text, before) => {
        saved.push(id);
        return store.save(id, text, before);
      },
    });
    await damaged.read(first);
    expect([damaged.relativesOf(first, ''), saved]).toEqual([[], []]);
  });
});
