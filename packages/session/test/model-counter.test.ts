import { assistant, user } from '@palimpsest/testkit';
import { createTokenCounter } from '@palimpsest/tokens';
import { createModelCounter } from '@palimpsest/tokens/models';
import { describe, expect, it } from 'vitest';
import { filler, makeSession, turn } from './make-session.ts';

/** A chat that continues in a new process, so that no answer has corrected the estimate. */
const resumed = [...Array.from({ length: 12 }, (_, at) => turn(at, 1_000)).flat(), user('Next.')];
const claude = 'claude-opus-4-7';
const claudeTokens = createModelCounter(claude).countRequest({ messages: resumed });
const otherTokens = createTokenCounter().countRequest({ messages: resumed });

describe('before the first answer, a prompt', () => {
  it('is counted as its model counts', async () => {
    const { session } = makeSession({ model: { id: claude, contextLength: 200_000 } });
    expect((await session.beforeRequest(resumed)).info.tokens).toBe(claudeTokens);
    expect(claudeTokens).toBeGreaterThan(otherTokens * 1.15);
  });

  it('that is too large for a Claude model is compacted, also if it would fit for another tokenizer', async () => {
    const window = Math.round((claudeTokens + otherTokens) / 2);
    const engineOptions = { threshold: 0.95 };
    for (const [id, compactions] of [
      ['other', 0],
      [claude, 1],
    ] as const) {
      const { session } = makeSession({ model: { id, contextLength: window }, engineOptions });
      const { info } = await session.beforeRequest(resumed);
      expect(info.compactions).toHaveLength(compactions);
      expect(info.tokens).toBeLessThan(window);
    }
  });

  it('is counted as a model counts that the session is switched to', async () => {
    const { session } = makeSession({ model: { id: 'other', contextLength: 200_000 } });
    const first = await session.beforeRequest(resumed);
    expect(first.info.tokens).toBe(otherTokens);
    session.afterResponse({ promptTokens: otherTokens * 1.5, completionTokens: 10 }, first);
    session.updateModel({ id: claude, contextLength: 200_000 });
    expect((await session.beforeRequest(resumed)).info.tokens).toBe(claudeTokens);
    // A late answer of the first model says nothing about the size for the second.
    session.afterResponse({ promptTokens: otherTokens * 1.5, completionTokens: 10 }, first);
    expect((await session.beforeRequest(resumed)).info.tokens).toBe(claudeTokens);
  });

  it('is counted by a counter that was passed, whatever its model', async () => {
    const tokens = createTokenCounter({ countText: (text) => text.length });
    const { session } = makeSession({ model: { id: claude, contextLength: 1_000_000 }, tokens });
    const messages = [user(filler(100, 1)), assistant('Done.'), user('Next.')];
    expect((await session.beforeRequest(messages)).info.tokens).toBe(tokens.countRequest({ messages }));
  });
});
