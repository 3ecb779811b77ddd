import type { Message } from '@palimpsest/core';
import { system, user } from '@palimpsest/testkit';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contextWindow, type LoopbackServer, startLoopbackServer } from '../../../../test/loopback-server/index.ts';
import { Payback } from '../../src/compaction/payback.ts';
import type { SessionOptions } from '../../src/options/session-options.ts';
import { filler, makeSession } from '../make-session.ts';

let server: LoopbackServer;
beforeAll(async () => {
  server = await startLoopbackServer();
});
afterAll(() => server.close());

const window = 32_000;
/** Grows the prompt by about 2,000 tokens a round: over the threshold of 16,000 in the eighth round. */
const rounds = 11;

/**
 * Chats with a provider that has a prompt cache.
 * @param cachedShare what it reports of the prefix that it has cached, by round
 * @returns in which rounds the prompt was compacted
 */
async function chat(cachedShare: (round: number) => number, options: Partial<SessionOptions> = {}): Promise<number[]> {
  const { session } = makeSession({ window, engineOptions: { threshold: 0.5 }, ...options });
  const client = new OpenAI({ apiKey: 'test', baseURL: server.openaiUrl, maxRetries: 0 });
  const judge = contextWindow(window);
  const history: Message[] = [system('You review files.')];
  server.play((request) => {
    const round = history.filter(({ role }) => role === 'user').length;
    const { promptTokens, cachedTokens, refusal } = judge(request);
    const reported = Math.round(cachedTokens * cachedShare(round));
    return refusal ?? { kind: 'answer', text: 'Read.', promptTokens, cachedTokens: reported, completionTokens: 2 };
  });
  const compacted: number[] = [];
  session.on((event) => {
    if (event.type === 'checkpoint-commit') compacted.push(history.filter(({ role }) => role === 'user').length);
  });
  for (let round = 1; round <= rounds; round++) {
    history.push(user(`File ${round}:\n${filler(1_200, round)}`));
    const answer = await session.run(history, (messages) =>
      client.chat.completions.create({ model: 'test-model', messages: messages as never }),
    );
    history.push({ role: 'assistant', content: answer.choices[0]!.message.content });
  }
  return compacted;
}

describe('a compaction that would cost more than it saves', () => {
  it('is held between the threshold and 85 % of the window', async () => {
    const [atOnce] = await chat(() => 1, { payback: false });
    const held = await chat(() => 1);
    expect(atOnce).toBeLessThan(rounds);
    expect(held[0] ?? rounds + 1).toBeGreaterThan(atOnce!);
  });

  it('is still held after one request that found the cache cold', async () => {
    const [atOnce] = await chat(() => 1, { payback: false });
    const warm = await chat(() => 1);
    expect(await chat((round) => (round === atOnce! - 1 ? 0 : 1))).toEqual(warm);
  });

  it('is not held without a cache, where every request pays for the whole prompt', async () => {
    expect(await chat(() => 0)).toEqual(await chat(() => 0, { payback: false }));
  });
});

describe('what a compaction costs', () => {
  const unknown = { options: { horizon: 1 }, prices: () => null, rides: () => false };
  const proposed = { promptTokens: 50_000, compactedTokens: 10_000, callsModel: true };

  /** The least number of answers after which a compaction pays, with a warm cache. */
  function answersUntilItPays(parts: ConstructorParameters<typeof Payback>[0]): number {
    const payback = new Payback(parts);
    for (let answers = 0; answers < 100; answers++) {
      if (answers >= 3 && !payback.isLoss(proposed)) return answers;
      payback.noteAnswer(1);
    }
    return 100;
  }

  it("is reckoned with the prices of the session's model", () => {
    const usual = answersUntilItPays(unknown);
    const priced = (input: number, cacheRead: number, cacheWrite: number, output: number): number =>
      answersUntilItPays({ ...unknown, prices: () => ({ input, cacheRead, cacheWrite, output }) });
    expect(priced(2, 0.2, 2.5, 16)).toBe(usual);
    expect(priced(3, 0.3, 3.75, 15)).toBeLessThan(usual);
    // What is cached costs half: more is saved by leaving it out.
    expect(priced(2, 1, 2.5, 16)).toBeLessThan(usual / 3);
    // A model that is free has no ratios.
    expect(priced(0, 0, 0, 0)).toBe(usual);
  });

  it('is less for a summary that rides on the last request', () => {
    expect(answersUntilItPays({ ...unknown, rides: () => true })).toBeLessThan(answersUntilItPays(unknown) * 0.7);
  });

  it('follows the prices that the session was given', async () => {
    const held = await chat(() => 1);
    const free = await chat(() => 1, {
      prices: (model) => (model === 'test-model' ? { input: 1, cacheRead: 1, cacheWrite: 1, output: 1 } : null),
    });
    expect(free[0]).toBeLessThan(held[0] ?? rounds + 1);
  });
});
