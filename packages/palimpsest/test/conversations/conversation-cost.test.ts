import { expect, it } from 'vitest';
import { CostCounter } from '../../src/conversations/conversation-cost.ts';

const prices = { input: 10, output: 100, cacheRead: 1, cacheWrite: 20 };

it('costs what the provider bills, next to what the whole history would have cost', () => {
  const counter = new CostCounter();
  // 1,000 new tokens, written to the cache.
  counter.count({ promptTokens: 1_000, completionTokens: 10, cachedTokens: 0, cacheWriteTokens: 1_000 }, 0, prices);
  expect(counter.cost).toEqual({ paid: 0.021, uncompacted: 0.021 });
  // Compacted: 100 tokens are read and 300 written, instead of 1,000 read and 1,000 written.
  counter.count({ promptTokens: 400, completionTokens: 0, cachedTokens: 100, cacheWriteTokens: 300 }, 1_600, prices);
  expect(counter.cost!.paid).toBeCloseTo(0.021 + 0.0061);
  expect(counter.cost!.uncompacted).toBeCloseTo(0.021 + 0.021);
});

it('without a cache, all of the prompt has its full price; without a price, nothing is reported', () => {
  const counter = new CostCounter();
  for (let time = 0; time < 2; time++) counter.count({ promptTokens: 1_000, completionTokens: 0 }, 500, prices);
  expect(counter.cost).toEqual({ paid: 0.02, uncompacted: 0.03 });
  counter.count({ promptTokens: 1_000, completionTokens: 0 }, 0, null);
  expect(counter.cost).toBeNull();
});

it('of a request that the agent would not have sent, only the answer counts in what the whole history would have cost', () => {
  const counter = new CostCounter();
  counter.count({ promptTokens: 1_000, completionTokens: 10 }, 1_000, prices);
  counter.count({ promptTokens: 1_100, completionTokens: 10 }, null, prices);
  expect(counter.cost!.paid).toBeCloseTo(0.023);
  expect(counter.cost!.uncompacted).toBeCloseTo(0.022);
});
