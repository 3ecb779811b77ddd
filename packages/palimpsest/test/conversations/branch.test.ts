import { createRegistry } from '@palimpsest/registry';
import type { SessionStore } from '@palimpsest/session';
import { keyValueStore } from '@palimpsest/session';
import { createTokenCounter } from '@palimpsest/tokens';
import { expect, it } from 'vitest';
import { Conversation } from '../../src/conversations/conversation.ts';
import { ConversationIndex } from '../../src/conversations/conversation-index.ts';
import { readConversation } from '../../src/conversations/read-conversation.ts';
import { type SessionMaker, sessionMaker } from '../../src/conversations/session-maker.ts';

const url = new URL('https://provider.example/v1/chat/completions');

function storeInMemory(): SessionStore {
  const values = new Map<string, string>();
  return keyValueStore({
    getItem: async (key: string) => values.get(key) ?? null,
    setItem: async (key: string, value: string) => void values.set(key, value),
  });
}

it('a branch continues with the compactions of its parent, also if it could not be opened the first time', async () => {
  const sent: string[] = [];
  const tokens = createTokenCounter();
  const maker = sessionMaker({
    registry: createRegistry(),
    config: {},
    windows: (id) => ({ id, contextLength: 32_000 }),
    prices: () => null,
    tokens: () => tokens,
    store: storeInMemory(),
    fetch: async (_, init) => {
      sent.push(String(init?.body));
      const choice = { index: 0, message: { role: 'assistant', content: 'Understood.' }, finish_reason: 'stop' };
      return Response.json({ object: 'chat.completion', choices: [choice] });
    },
    page: () => Promise.reject(new Error('no page is asked for')),
    summaries: 'rules',
    recall: false,
    onEvent: () => {},
    index: new ConversationIndex(),
    onCompaction: () => {},
    onSummaryFailed: () => {},
    now: Date.now,
  });
  const identity = { scope: 's', key: 'k', chain: [], opening: 0 };
  let failures = 0;
  const made: SessionMaker = {
    ...maker,
    session(id, model) {
      if (id === parent.id && failures-- > 0) throw new Error('no engine');
      return maker.session(id, model);
    },
  };
  const messages: object[] = [];
  const send = async (to: Conversation): Promise<void> => {
    const body = JSON.stringify({ model: 'm', max_tokens: 1_000, messages });
    const request = readConversation(url, Buffer.from(body))!;
    await (await to.send(request, url, { method: 'POST', body })).text();
  };
  const parent = new Conversation({ ...identity, id: 'parent' }, made);
  parent.model = 'm';
  while (parent.stats.compactions.length === 0) {
    const content = `Request ${messages.length}. ${'Look at what is there and write it down. '.repeat(100)}`;
    messages.push({ role: 'user', content });
    await send(parent);
    messages.push({ role: 'assistant', content: 'Understood.' });
  }
  await parent.end();
  const branch = new Conversation({ ...identity, id: 'branch' }, made, parent);
  branch.model = 'm';
  messages.splice(-2, 2, { role: 'user', content: 'Something else.' });
  failures = 1;
  await expect(send(branch)).rejects.toThrow('no engine');
  const before = sent.length;
  await send(branch);
  expect(sent).toHaveLength(before + 1);
  expect(sent.at(-1)).toContain('[CONTEXT HANDOFF');
  expect(branch.stats.compactions).toEqual([]);
  await Promise.all([branch.end(), parent.end()]);
});
