import { describe, expect, it } from 'vitest';
import { compressorBudget } from '../src/budget.ts';
import { type CompressorOptions, compressorOptions } from '../src/options.ts';

const options = (given: Partial<CompressorOptions> = {}): CompressorOptions => {
  const result = compressorOptions['~standard'].validate(given);
  if (result instanceof Promise || result.issues) throw new Error('options must be valid');
  return result.value as CompressorOptions;
};
const model = (contextLength: number, reserveOutputTokens?: number, id = 'some-model') => ({
  id,
  contextLength,
  reserveOutputTokens,
});

describe('the threshold', () => {
  it.each([
    // window, reserve, options, threshold
    [200_000, undefined, {}, 100_000],
    [1_000_000, undefined, {}, 500_000],
    [2_000_000, undefined, {}, 1_000_000],
    [128_000, undefined, {}, 64_000],
    // The floor binds below 128K at one half ...
    [100_000, undefined, {}, 64_000],
    [80_000, undefined, {}, 64_000],
    // ... and gives way to 85 % where it would not lie below the window.
    [64_000, undefined, {}, 54_400],
    [32_000, undefined, {}, 27_200],
    [8_000, undefined, {}, 6_800],
    [200_000, 20_000, {}, 90_000],
    [200_000, 200_000, {}, 100_000],
    [200_000, 300_000, {}, 100_000],
    [200_000, 20_000, { reserveOutput: 0 }, 100_000],
    [200_000, undefined, { threshold: 0.8 }, 160_000],
    [200_000, undefined, { threshold: { tokens: 30_000 } }, 30_000],
    [16_000, undefined, { threshold: { tokens: 30_000 } }, 13_600],
    [1_000_000, undefined, { thresholdCap: 120_000 }, 120_000],
    [8_000, undefined, { minimumThreshold: 0 }, 4_000],
  ])('of a window of %i, reserve %s and options %j is %i', (window, reserve, given, threshold) => {
    expect(compressorBudget(options(given), model(window, reserve)).thresholdTokens).toBe(threshold);
  });

  it('of a model is the one of the longest key in its id', () => {
    const given = options({ modelThresholds: { gpt: 0.8, 'gpt-5-mini': 0.3, mini: { tokens: 77_000 } } });
    expect(compressorBudget(given, model(400_000, 0, 'openai/gpt-5-mini')).thresholdTokens).toBe(120_000);
    expect(compressorBudget(given, model(400_000, 0, 'gpt-5')).thresholdTokens).toBe(320_000);
    expect(compressorBudget(given, model(400_000, 0, 'o4-mini')).thresholdTokens).toBe(77_000);
    expect(compressorBudget(given, model(400_000, 0, 'claude')).thresholdTokens).toBe(200_000);
  });
});

describe('the tail', () => {
  it.each([
    [{ ratio: 0.2 }, 200_000, 20_000],
    [{ ratio: 0.01 }, 200_000, 10_000],
    [{ ratio: 5 }, 200_000, 80_000],
    [{ tokens: 12_345 }, 200_000, 12_345],
    ['lean' as const, 200_000, 10_000],
    ['lean' as const, 800_000, 20_000],
    ['lean' as const, 2_000_000, 25_000],
    ['lean' as const, 32_000, 6_400],
  ])('of %j in a window of %i holds %i tokens', (tail, window, tokens) => {
    expect(compressorBudget(options({ tail }), model(window)).tailTokens).toBe(tokens);
  });
});

describe('warnings', () => {
  it('tell of an unusual threshold, an ignored reserve and a window too small to be worth it', () => {
    expect(compressorBudget(options({ threshold: 0.15 }), model(1_000_000)).warnings).toEqual([
      expect.stringContaining('0.15'),
    ]);
    expect(compressorBudget(options(), model(200_000, 200_000)).warnings).toEqual([expect.stringContaining('ignored')]);
    expect(compressorBudget(options(), model(8_000)).warnings).toEqual([expect.stringContaining('10,000')]);
    expect(compressorBudget(options(), model(200_000)).warnings).toEqual([]);
  });
});

describe('options', () => {
  it.each([
    [{ threshold: 0.05 }, 'threshold'],
    [{ threshold: 0.99 }, 'threshold'],
    [{ protectFirst: -1 }, 'protectFirst'],
    [{ tail: 'long' }, 'tail'],
    [{ treshold: 0.5 }, 'treshold'],
  ])('refuse %j', (given, field) => {
    const result = compressorOptions['~standard'].validate(given);
    if (result instanceof Promise) throw new Error('validation is synchronous');
    expect(JSON.stringify(result.issues)).toContain(field);
  });
});
