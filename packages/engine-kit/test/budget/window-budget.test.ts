import { describe, expect, it } from 'vitest';
import { maxSummaryTokens, usableWindow, windowBudget } from '../../src/index.ts';

describe('usableWindow', () => {
  it('is the window less the reserve', () => {
    expect(usableWindow(200_000, 20_000)).toEqual({ usableTokens: 180_000, warnings: [] });
  });

  it('ignores a reserve as large as the window, with a warning', () => {
    const { usableTokens, warnings } = usableWindow(1_000, 1_000);
    expect(usableTokens).toBe(1_000);
    expect(warnings).toEqual(['The reserve of 1000 tokens is as large as the window of 1000; it is ignored.']);
  });

  it('is 0, without a warning, if the window is unknown', () => {
    expect(usableWindow(0, 8_000)).toEqual({ usableTokens: 0, warnings: [] });
  });
});

describe('windowBudget', () => {
  it('divides the usable window by the given shares', () => {
    const model = { id: 'm', contextLength: 100_000, reserveOutputTokens: 20_000 };
    expect(windowBudget(model, { threshold: 0.8, tail: 0.1 })).toEqual({
      contextLength: 100_000,
      usableTokens: 80_000,
      thresholdTokens: 64_000,
      tailTokens: 8_000,
      summaryTokens: 5_000,
      warnings: [],
    });
  });
});

describe('largestSummary', () => {
  it.each([
    [0, 0],
    [100_000, 5_000],
    [1_000_000, 12_000],
  ])('in a window of %i has %i tokens', (window, tokens) => {
    expect(maxSummaryTokens(window)).toBe(tokens);
  });
});
