import { describe, expect, it } from 'vitest';
import { pruneCompactBudget } from '../src/budget.ts';
import { type PruneCompactOptions, pruneCompactOptions } from '../src/options.ts';

const options = (given: Partial<PruneCompactOptions> = {}): PruneCompactOptions => {
  const result = pruneCompactOptions['~standard'].validate(given);
  if (result instanceof Promise || result.issues) throw new Error('options must be valid');
  return result.value as PruneCompactOptions;
};

describe('the budgets of prune-compact', () => {
  it.each([
    // window, reserve of the model, options -> usable, threshold, tail
    [200_000, undefined, {}, 180_000, 153_000, 15_000],
    [2_000_000, undefined, {}, 1_980_000, 1_683_000, 15_000],
    [32_000, undefined, {}, 25_600, 21_760, 6_400],
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

  it('say when a reserve is ignored', () => {
    expect(pruneCompactBudget(options(), { id: 'm', contextLength: 1000, reserveOutputTokens: 1000 }).warnings).toEqual(
      [expect.stringContaining('ignored')],
    );
  });
});
