import { createRegistry } from '@palimpsest/registry';
import { createTokenCounter } from '@palimpsest/tokens';
import { expect, it } from 'vitest';
import { Conversation } from '../../src/conversations/conversation.ts';
import { ConversationIndex } from '../../src/conversations/conversation-index.ts';
import { readConversation } from '../../src/conversations/read-conversation.ts';
import { sessionMaker } from '../../src/conversations/session-maker.ts';

const url = new URL('https://provider.example/v1/chat/completions');

function reply(content: string, promptTokens: number, completionTokens: number): Response {
  return Response.json({
    object: 'chat.completion',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: { prompt_tokens: promptTokens, completion_tokens: completionTokens },
  });
}

it('a page that comes after rules have written is in the cost of its conversation', async () => {
  const pages: ((page: Response) => void)[] = [];
  const tokens = createTokenCounter();
  const maker = sessionMaker({
    registry: createRegistry(),
    config: {},
    windows: (id) => ({ id, contextLength: 32_000 }),
    prices: () => ({ input: 0, output: 15, cacheRead: 0, cacheWrite: 0 }),
    tokens: () => tokens,
    fetch: async (_, init) => reply('Understood.', tokens.countText(String(init?.body)), 10),
    page: () => new Promise((resolve) => pages.push(resolve)),
    summaries: 'model',
    recall: false,
    onEvent: () => {},
    index: new ConversationIndex(),
    onCompaction: () => {},
    onSummaryFailed: () => {},
    now: Date.now,
  });
  const conversation = new Conversation({ scope: 's', key: 'k', chain: [], opening: 0, id: 'one' }, maker);
  conversation.model = 'm';
  const messages: object[] = [];
  for (let turn = 0; conversation.stats.compactions.length === 0 && turn < 80; turn++) {
    messages.push({
      role: 'user',
      content: `Request ${turn}. ${'Look at what is there and write it down. '.repeat(100)}`,
    });
    const body = JSON.stringify({ model: 'm', max_tokens: 1_000, messages });
    const request = readConversation(url, Buffer.from(body))!;
    await (await conversation.send(request, url, { method: 'POST', body })).text();
    await new Promise(setImmediate);
    messages.push({ role: 'assistant', content: 'Understood.' });
  }
  expect(conversation.stats.compactions).toMatchObject([{ modelCalls: 0 }]);
  expect(pages.length).toBe(1);
  const before = conversation.stats.cost!.paid;
  pages[0]!(reply('## Goal\nAll is looked at.', 20_000, 500));
  await expect.poll(() => conversation.stats.cost!.paid - before).toBeCloseTo((500 * 15) / 1e6);
  await conversation.end();
});
