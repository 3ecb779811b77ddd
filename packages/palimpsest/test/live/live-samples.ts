import type { LiveConversation, LiveView } from '../../src/live/live-view.ts';

/** A compaction, as a session records it. */
export const compaction = {
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

/** A small conversation in a window of 1,000 tokens. */
export const liveConversation: LiveConversation = {
  id: 'a',
  agent: 'agent/1.0',
  model: 'm',
  title: 'agent/1.0, m',
  isHeldOut: false,
  requests: 2,
  sizes: [
    { at: 1, tokens: 950, originalTokens: 1_000, windowTokens: 1_000 },
    { at: 2, tokens: 900, originalTokens: 1_900, windowTokens: 1_000 },
  ],
  compactions: [],
  savedTokens: 0,
  sentTokens: 9_000,
  cost: null,
  cachedShare: 0.5,
  lastUsed: 1,
  mode: 'automatic',
  compactsAt: 850,
  now: [
    { message: null, tokens: 200, look: 'system', words: 'instructions and tools, 200 tokens' },
    { message: null, tokens: 100, look: 'inserted', words: 'handoff, 100 tokens' },
    { message: 2, tokens: 600, look: 'tool', words: '3 tool result, 600 tokens' },
  ],
  left: [
    { message: 1, tokens: 100, look: 'summarized', words: '2 user, 100 tokens: summarized' },
    { message: 2, tokens: 30, look: 'rewritten', words: '3 tool result, 30 tokens: stubbed or shortened' },
  ],
  words: { saved: ['Saved 5.'], context: 'Holds 900.', left: '130 tokens left.' },
  history: [{ at: 1, words: 'on request', tokensBefore: 2_000, tokensAfter: 800, undone: false }],
  troubles: [],
  notice: null,
};

/** A live view. */
export function liveViewOf(conversations: readonly LiveConversation[]): LiveView {
  return {
    version: 2,
    engine: 'compressor',
    addresses: '',
    isObserving: false,
    problems: [],
    now: 3_000,
    conversations,
  };
}
