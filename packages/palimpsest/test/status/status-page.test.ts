import { describe, expect, it } from 'vitest';
import type { Conversation } from '../../src/conversations/conversation.ts';
import { conversationWords, statusPage, statusPagePolicy } from '../../src/status/status-page.ts';

const stats: Conversation['stats'] = {
  id: 'a',
  agent: 'agent',
  model: 'm',
  isHeldOut: false,
  requests: 2,
  sizes: [{ at: 1, tokens: 900, originalTokens: 1_900, windowTokens: 1_000 }],
  compactions: [],
  savedTokens: 0,
  sentTokens: 9_000,
  cost: null,
  cachedShare: 0.5,
  lastUsed: 1,
};
const compaction = {
  number: 1,
  parent: null,
  at: 1,
  trigger: 'threshold',
  outcome: 'compacted',
  tokensBefore: 2_000,
  tokensAfter: 800,
  messagesBefore: 20,
  messagesAfter: 4,
  modelCalls: 0,
  durationMs: 1,
  cachedShareBefore: null,
  cachedShareAfter: null,
  undone: false,
  historyMessages: 20,
  dollars: null,
} as const;

describe('the status page', () => {
  it('shows what an agent calls itself as text, and loads nothing', () => {
    const hostile = `</title><script src="https://evil.example/x.js"></script><img src=x onerror='1'>\u001b[31m`;
    const named = { ...stats, id: hostile, agent: hostile, model: hostile };
    const page = statusPage(
      [{ stats: named, shown: null }],
      { engine: hostile, addresses: hostile, problems: { summary: [hostile] } },
      true,
    );
    expect(page).not.toMatch(/<script|<img|\u001b/);
    expect(page.match(/<(?:link|script|img|iframe|object)/)).toBeNull();
    expect(statusPagePolicy).toMatch(/^default-src 'none'; style-src 'sha256-.*frame-ancestors 'none'$/);
  });

  it('says in a sentence what was not sent, from figures that the proxy has', () => {
    expect(conversationWords(stats)).toBe(
      'Not compacted yet. The prompt has 900 of 1,000 tokens, 50% of it from the cache.',
    );
    const compacted = {
      ...stats,
      compactions: [compaction, compaction, compaction],
      savedTokens: 1_201_334,
      cachedShare: null,
    };
    expect(conversationWords(compacted)).toBe(
      'Compacted <strong>3 times</strong>: <strong>1,201,334</strong> prompt tokens were not sent (cost unknown). The prompt has 900 of 1,000 tokens.',
    );
    const words = (paid: number, uncompacted: number) =>
      conversationWords({ ...compacted, cost: { paid, uncompacted } });
    expect(words(1, 4.104)).toContain('not sent, about <strong>$3.10</strong> at list prices.');
    expect(words(4.104, 1)).toContain('not sent, which cost about <strong>$3.10</strong> more at list prices.');
  });
});
