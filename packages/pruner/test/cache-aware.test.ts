import { assistant, call, callsWithResults, quarterCounter, user } from '@palimpsest/testkit';
import { describe, expect, it } from 'vitest';
import { cacheAware, cachePrices, prune } from '../src/index.ts';
import { lines } from './stub-line.ts';

const prices = cachePrices.anthropic;
const proposal = { totalTokens: 100_000, reclaimedTokens: 40_000, prefixTokens: 20_000 };

describe('the cache gate', () => {
  it('commits when the savings over the expected requests exceed the cost of writing the suffix to the cache again', () => {
    // 40,000 tokens have to be cached again. Without the prune, these and the 40,000 reclaimed tokens would cost 0.1
    // each.
    const fee = 40_000 * 1.25 - 80_000 * 0.1;
    const perTurn = 40_000 * 0.1;
    const enough = Math.floor(fee / perTurn) + 2;
    expect(cacheAware({ prices, expectedRequests: enough })(proposal).commit).toBe(true);
    expect(cacheAware({ prices, expectedRequests: enough - 1 })(proposal).commit).toBe(false);
  });
  it('commits at once when the cache has expired, and never when no request will follow', () => {
    expect(cacheAware({ prices, expectedRequests: 1, cached: 0 })(proposal).commit).toBe(true);
    expect(cacheAware({ prices, expectedRequests: 0, cached: 0 })(proposal).commit).toBe(false);
  });
  it('waits after a rearm until the transcript has grown back', () => {
    const gate = cacheAware({ prices, expectedRequests: 1_000, rearm: 100_001 });
    expect(gate(proposal)).toMatchObject({ commit: false });
    expect(gate({ ...proposal, totalTokens: 100_001 }).commit).toBe(true);
  });
  it('states in the report why it refused a prune', () => {
    const messages = [
      user('Go.'),
      ...callsWithResults([call('1', 'Read', { file_path: '/a.ts' }), lines(900)]),
      assistant('Done.'),
    ];
    const policy = { protect: { tokens: 0 }, keepTurns: 0, minimum: 0, tokens: quarterCounter };
    const { report, messages: output } = prune(messages, {
      ...policy,
      gate: () => ({ commit: false, message: 'Not now.' }),
    });
    expect(output).toBe(messages);
    expect(report).toMatchObject({ committed: false, reason: 'gate-closed', message: 'Not now.' });
  });
  it('receives the size of the prefix before the first edit', () => {
    const messages = [
      user('Go.'),
      assistant('First I look.'),
      ...callsWithResults([call('1', 'Read', { file_path: '/a.ts' }), lines(900)]),
      assistant('Done.'),
    ];
    let prefix = -1;
    prune(messages, {
      protect: { tokens: 0 },
      keepTurns: 0,
      minimum: 0,
      tokens: quarterCounter,
      gate: ({ prefixTokens }) => ({ commit: (prefix = prefixTokens) < 0, message: '' }),
    });
    expect(prefix).toBe(messages.slice(0, 3).reduce((sum, message) => sum + quarterCounter.countMessage(message), 0));
  });
  it('rejects prices and expectations that are not numbers', () => {
    expect(() => cacheAware({ expectedRequests: Number.NaN })).toThrow(
      /expectedRequests: expected a number of 0 or more; given: NaN/,
    );
  });
});
