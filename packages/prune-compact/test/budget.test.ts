import { prune } from '@palimpsest/pruner';
import { assistant, call, callsWithResults, quarterCounter, testHost, user } from '@palimpsest/testkit';
import { describe, expect, it } from 'vitest';
import { pruneCompactBudget } from '../src/budget.ts';
import { prunePolicy } from '../src/prune-policy.ts';
import { makeEngine, optionsOf as options } from './make-engine.ts';

describe('the budgets of prune-compact', () => {
  it.each([
    // window, reserve of the model, options -> usable, threshold, tail
    [200_000, undefined, {}, 180_000, 153_000, 15_000],
    [2_000_000, undefined, {}, 1_980_000, 1_683_000, 15_000],
    [32_000, undefined, {}, 25_600, 21_760, 5_440],
    [32_000, undefined, { threshold: 0.5 }, 25_600, 12_800, 3_200],
    [8_000, undefined, {}, 6_400, 5_440, 2_000],
    [200_000, 64_000, {}, 136_000, 115_600, 15_000],
    [200_000, 64_000, { reserveOutput: 10_000 }, 190_000, 161_500, 15_000],
    [200_000, 200_000, {}, 200_000, 170_000, 15_000],
    [200_000, undefined, { threshold: 0.5 }, 180_000, 90_000, 15_000],
  ])(
    'for a window of %i, a reserve of %s and %j',
    (contextLength, reserveOutputTokens, given, usable, threshold, tail) => {
      const budget = pruneCompactBudget(options(given), { id: 'model', contextLength, reserveOutputTokens });
      expect([budget.usableTokens, budget.thresholdTokens, budget.tailTokens]).toEqual([usable, threshold, tail]);
    },
  );

  it('warn if a reserve is ignored', () => {
    expect(pruneCompactBudget(options(), { id: 'm', contextLength: 1000, reserveOutputTokens: 1000 }).warnings).toEqual(
      [expect.stringContaining('ignored')],
    );
  });

  it('follow the model, and setting the same model again changes nothing', async () => {
    const engine = makeEngine(testHost());
    for (const [contextLength, threshold] of [
      [200_000, 153_000],
      [1_000_000, 833_000],
      [32_000, 21_760],
      [8_000, 5_440],
      [0, 0],
      [200_000, 153_000],
    ] as const) {
      await engine.updateModel({ id: 'm', contextLength });
      expect(engine.state).toMatchObject({ contextLength, thresholdTokens: threshold });
      expect(engine.shouldCompress(threshold - 1)).toBe(false);
      expect(engine.shouldCompress(Math.max(1, threshold))).toBe(threshold > 0);
      const before = JSON.stringify(engine.snapshot());
      await engine.updateModel({ id: 'm', contextLength });
      expect(JSON.stringify(engine.snapshot())).toBe(before);
    }
  });
});

describe('what pruning protects', () => {
  // Outputs of 1,000 tokens each in old turns. Those that stay were protected.
  it.each([
    [32_000, {}, 10_000, 5_000],
    [128_000, {}, 40_000, 20_000],
    [1_000_000, {}, 100_000, 50_000],
    [16_000, {}, 5_000, 2_500],
    [128_000, { protectTokens: 8_000 }, 8_000, 4_000],
    [128_000, { minimumTokens: 1_000 }, 40_000, 1_000],
  ])('in a window of %i with %j is %i tokens of output, at a minimum of %i', (window, given, protect, minimum) => {
    const kept = (outputs: number): number => {
      const messages = [user('Begin.')];
      for (let at = 0; at < outputs; at++)
        messages.push(
          ...callsWithResults([call(`c${at}`, 'terminal', { command: `run ${at}` }), `${at} `.padEnd(3_984, 'x y ')]),
        );
      messages.push(user('And?'), assistant('Yes.'), user('Go on.'), assistant('Done.'));
      const { messages: after, report } = prune(messages, {
        ...prunePolicy(messages, options(given), testHost(), { contextLength: window }),
        tokens: quarterCounter,
      });
      if (!report.committed) return outputs;
      return after.filter((message, index) => message === messages[index] && message.role === 'tool').length;
    };
    expect(kept(Math.floor((protect + minimum) / 1_000) - 1)).toBe(Math.floor((protect + minimum) / 1_000) - 1);
    expect(kept(Math.ceil((protect + minimum) / 1_000) + 4)).toBe(protect / 1_000);
  });
});
