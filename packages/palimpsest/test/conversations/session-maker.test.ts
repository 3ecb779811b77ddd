import { createRegistry } from '@palimpsest/registry';
import { createModelCounter } from '@palimpsest/tokens/models';
import { expect, it } from 'vitest';
import { ConversationIndex } from '../../src/conversations/conversation-index.ts';
import { sessionMaker } from '../../src/conversations/session-maker.ts';
import { toolRounds } from '../tool-rounds.ts';

it('the sessions of a proxy tell what a compaction cost and saved', async () => {
  const maker = sessionMaker({
    registry: createRegistry(),
    config: {},
    windows: (id) => ({ id, contextLength: 32_000 }),
    prices: (id) => (id === 'priced' ? { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 } : null),
    tokens: createModelCounter,
    fetch: globalThis.fetch,
    page: () => Promise.reject(new Error('no page is asked for')),
    summaries: 'model',
    recall: false,
    onEvent: () => {},
    index: new ConversationIndex(),
    onCompaction: () => {},
    onSummaryFailed: () => {},
    now: Date.now,
  });
  const dollarsOf = async (model: string) => {
    const session = maker.session('one', model);
    const request = await session.beforeRequest(toolRounds(150) as never);
    session.afterResponse({ promptTokens: 10_000, completionTokens: 1_000 }, request);
    return session.records()[0]!.dollars;
  };
  expect(await dollarsOf('priced')).toMatchObject({ summaries: 0, paid: expect.closeTo(0.045) });
  expect(await dollarsOf('unknown')).toBeNull();
});
