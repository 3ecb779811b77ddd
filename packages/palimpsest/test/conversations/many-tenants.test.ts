import { expect, it } from 'vitest';
import { ConversationIndex } from '../../src/conversations/conversation-index.ts';
import { Conversations } from '../../src/conversations/conversations.ts';
import { readConversation } from '../../src/conversations/read-conversation.ts';

const url = new URL('https://api.openai.com/v1/chat/completions');
const request = (messages: readonly unknown[]) =>
  readConversation(url, Buffer.from(JSON.stringify({ model: 'm', messages })));

it('a tenant with many conversations drops its own, not those of others', async () => {
  const maker = { now: () => 0, index: new ConversationIndex() } as never;
  const conversations = new Conversations(maker, maker, { maxConversations: 3, idleMs: 1_000 });
  const open = (tenant: string, text: string): Promise<unknown> =>
    conversations.find(request([{ role: 'user', content: text }])!, {}, `${tenant}/openai`);
  await open('small', 'first of all');
  for (let count = 0; count < 5; count++) await open('large', `conversation ${count}`);
  expect(conversations.open.map(({ scope }) => scope.split('/')[0])).toEqual(['large', 'large', 'small']);
});

it('a list of something else than messages, or of too many, is no conversation', () => {
  expect(request([{ role: 'user', content: 'Go.' }])).not.toBeNull();
  expect(request([0, 0, 0])).toBeNull();
  expect(request(Array.from({ length: 100_001 }, () => ({})))).toBeNull();
});
