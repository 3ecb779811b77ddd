import type { EngineHost, Message } from '@palimpsest/core';
import { createEngine } from '@palimpsest/core/authoring';
import { manualClock, user } from '@palimpsest/testkit';
import type { MessageTokenCounter } from '@palimpsest/tokens';
import { expect, it } from 'vitest';
import { createSession } from '../../src/create-session.ts';

const tokensOf = (messages: readonly Message[]): number =>
  messages.reduce((sum, { content }) => sum + (content as string).length, 0);

/** One token per character, so that the saving of a pass is exact. */
const counter: MessageTokenCounter = {
  countText: (text) => text.length,
  countMessage: (message) => tokensOf([message]),
  countMessages: tokensOf,
  countRequest: ({ messages }) => tokensOf(messages),
  measureRequest: ({ messages }) => ({ text: tokensOf(messages), images: 0, total: tokensOf(messages) }),
};

/** An engine that removes a share of the agent's message in every pass, and counts its passes. */
function shaving(host: EngineHost, share: number, passes: number[]) {
  return createEngine(
    {
      initial: 0,
      budget: ({ contextLength }) => ({
        contextLength,
        usableTokens: contextLength,
        thresholdTokens: 5_000,
        maxThresholdTokens: 5_000,
        tailTokens: 0,
        summaryTokens: 0,
      }),
      trigger: { minimumSaving: 0 },
      async plan({ transcript, state }) {
        passes.push(transcript.totalTokens);
        const text = transcript.messages[1]!.content as string;
        const content = text.slice(0, Math.round(text.length - transcript.totalTokens * share));
        return {
          edits: [{ kind: 'rewrite', at: 1, set: { content }, reasons: [{ code: 'stub' }] }],
          state: state + 1,
        };
      },
    },
    host,
    { name: 'shaving' },
  );
}

it.each([
  [0.05, 1],
  [0.06, 3],
])('after a pass that saves %f of the tokens and no message, there are %i passes in all', async (share, count) => {
  const passes: number[] = [];
  const session = createSession({
    engine: (host) => shaving(host, share, passes),
    model: { id: 'm', contextLength: 20_000 },
    clock: manualClock(),
    tokens: counter,
  });
  await session.beforeRequest([user('Write.'), { role: 'assistant', content: 'x'.repeat(9_990) }, user('Now?')]);
  expect(passes).toHaveLength(count);
});
