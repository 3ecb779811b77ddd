import { describe, expect, it } from 'vitest';
import { summaryBudget } from '../../src/index.ts';

describe('summaryBudget', () => {
  it.each([
    [
      'a fifth of what is summarized',
      { sourceTokens: 40_000, contextLength: 200_000, thresholdTokens: 100_000 },
      8_000,
    ],
    ['never more than 12,000', { sourceTokens: 500_000, contextLength: 1_000_000, thresholdTokens: 500_000 }, 12_000],
    [
      'never more than 5 % of the window',
      { sourceTokens: 90_000, contextLength: 128_000, thresholdTokens: 64_000 },
      6_400,
    ],
    [
      'at least 2,000, though 5 % of the window is less',
      { sourceTokens: 20_000, contextLength: 32_000, thresholdTokens: 16_000 },
      2_000,
    ],
    [
      'never over a quarter of the threshold',
      { sourceTokens: 9_000, contextLength: 8_000, thresholdTokens: 4_000 },
      1_000,
    ],
    [
      'never over half of what it replaces',
      { sourceTokens: 1_800, contextLength: 200_000, thresholdTokens: 100_000 },
      900,
    ],
    [
      '5 % of the room if tools and system prompt take more than a tenth of the window',
      { sourceTokens: 90_000, contextLength: 128_000, thresholdTokens: 64_000, overheadTokens: 28_000 },
      5_000,
    ],
    [
      'the same with a usual overhead',
      { sourceTokens: 90_000, contextLength: 128_000, thresholdTokens: 64_000, overheadTokens: 12_800 },
      6_400,
    ],
    [
      'at least 2,000, however large the overhead is',
      { sourceTokens: 90_000, contextLength: 60_000, thresholdTokens: 51_000, overheadTokens: 50_000 },
      2_000,
    ],
    ['the same without a known window', { sourceTokens: 100_000, contextLength: 0, thresholdTokens: 0 }, 12_000],
  ])('is %s', (_, input, tokens) => {
    expect(summaryBudget(input)).toBe(tokens);
  });
});
