import { createScriptedSummarizer, testHost, writeShortSummary } from '@palimpsest/testkit';
import { describe, expect, it } from 'vitest';
import { compressorBudget } from '../src/budget.ts';
import { compressorOptions } from '../src/options.ts';
import { makeEngine, optionsOf as options } from './make-engine.ts';

const model = (contextLength: number, reserveOutputTokens?: number, id = 'some-model') => ({
  id,
  contextLength,
  reserveOutputTokens,
});

describe('the threshold', () => {
  it.each([
    // window, reserve, options, threshold
    [200_000, undefined, {}, 64_000],
    [1_000_000, undefined, {}, 300_000],
    [2_000_000, undefined, {}, 600_000],
    [128_000, undefined, {}, 64_000],
    // The minimum applies below 213K ...
    [100_000, undefined, {}, 64_000],
    [80_000, undefined, {}, 64_000],
    // ... and 85 % applies if the minimum is not below the window.
    [64_000, undefined, {}, 54_400],
    [32_000, undefined, {}, 27_200],
    [8_000, undefined, {}, 6_800],
    [200_000, 20_000, {}, 64_000],
    [200_000, 200_000, {}, 64_000],
    [200_000, 300_000, {}, 64_000],
    [400_000, 40_000, { reserveOutput: 0 }, 120_000],
    [200_000, undefined, { threshold: 0.8 }, 160_000],
    [200_000, undefined, { threshold: { tokens: 30_000 } }, 30_000],
    [16_000, undefined, { threshold: { tokens: 30_000 } }, 13_600],
    [1_000_000, undefined, { thresholdCap: 120_000 }, 120_000],
    [8_000, undefined, { threshold: 0.5, minimumThreshold: 0 }, 4_000],
  ])('of a window of %i, reserve %s and options %j is %i', (window, reserve, given, threshold) => {
    expect(compressorBudget(options(given), model(window, reserve)).thresholdTokens).toBe(threshold);
  });

  it('comes from the longest key that the model id contains', () => {
    const given = options({ modelThresholds: { gpt: 0.8, 'gpt-5-mini': 0.4, mini: { tokens: 77_000 } } });
    expect(compressorBudget(given, model(400_000, 0, 'openai/gpt-5-mini')).thresholdTokens).toBe(160_000);
    expect(compressorBudget(given, model(400_000, 0, 'gpt-5')).thresholdTokens).toBe(320_000);
    expect(compressorBudget(given, model(400_000, 0, 'o4-mini')).thresholdTokens).toBe(77_000);
    expect(compressorBudget(given, model(400_000, 0, 'claude')).thresholdTokens).toBe(120_000);
  });
});

describe('the tail', () => {
  it.each([
    [{ ratio: 0.2 }, 200_000, 12_800],
    [{ ratio: 0.01 }, 200_000, 6_400],
    [{ ratio: 0 }, 200_000, 6_400],
    [{ ratio: 5 }, 200_000, 51_200],
    [{ tokens: 12_345 }, 200_000, 12_345],
    ['lean' as const, 200_000, 10_000],
    ['lean' as const, 800_000, 20_000],
    ['lean' as const, 2_000_000, 25_000],
    ['lean' as const, 32_000, 6_400],
  ])('with %j in a window of %i has %i tokens', (tail, window, tokens) => {
    expect(compressorBudget(options({ tail }), model(window)).tailTokens).toBe(tokens);
  });
});

describe('the engine, when the model changes', () => {
  it.each([
    // window, reserve, id, options -> threshold, in this order on one engine
    [
      {},
      [
        [200_000, undefined, 'a', 64_000],
        [1_000_000, undefined, 'b', 300_000],
        [32_000, undefined, 'c', 27_200],
        [200_000, undefined, 'a', 64_000],
        [200_000, 40_000, 'a', 64_000],
        [0, undefined, 'unknown', 0],
        [2_000_000, 64_000, 'd', 580_800],
      ],
    ],
    [
      { modelThresholds: { mini: 0.3, 'gpt-5-mini': { tokens: 70_000 } }, thresholdCap: 150_000 },
      [
        [600_000, undefined, 'gpt-5', 150_000],
        [400_000, undefined, 'gpt-5-mini', 70_000],
        [400_000, undefined, 'o4-mini', 120_000],
        [64_000, undefined, 'gpt-5-mini', 54_400],
      ],
    ],
  ] as const)('has the threshold of each model: %j', async (given, models) => {
    const engine = makeEngine(testHost(), given);
    for (const [contextLength, reserveOutputTokens, id, threshold] of models) {
      await engine.updateModel({ id, contextLength, reserveOutputTokens });
      expect(engine.state).toMatchObject({ contextLength, thresholdTokens: threshold });
      expect(engine.shouldCompress(threshold - 1)).toBe(false);
      expect(engine.shouldCompress(Math.max(1, threshold))).toBe(threshold > 0);
    }
  });

  it('changes nothing if it is the same model', async () => {
    const host = testHost();
    const engine = makeEngine(host, { threshold: 0.95 });
    const model = { id: 'm', contextLength: 200_000, reserveOutputTokens: 8_000 };
    await engine.updateModel(model);
    engine.updateFromResponse({ promptTokens: 150_000, completionTokens: 10 });
    const [before, warned] = [JSON.stringify(engine.snapshot()), host.events.length];
    await engine.updateModel({ ...model });
    expect(JSON.stringify(engine.snapshot())).toBe(before);
    expect(host.events.length).toBe(warned);
  });

  it('warns if the context window of the summarizer is below the threshold', () => {
    const host = testHost({ summarizer: createScriptedSummarizer(writeShortSummary, { contextLength: 32_000 }) });
    makeEngine(host).updateModel({ id: 'm', contextLength: 200_000 });
    expect(host.events).toContainEqual(
      expect.objectContaining({ type: 'warning', message: expect.stringContaining('32000') }),
    );
  });
});

describe('warnings', () => {
  it('report an unusual threshold, an ignored reserve and a window too small to be worth compacting', () => {
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
    [{ minimumSaving: 1 }, 'minimumSaving'],
  ])('reject %j', (given, field) => {
    const result = compressorOptions['~standard'].validate(given);
    if (result instanceof Promise) throw new Error('validation is synchronous');
    expect(JSON.stringify(result.issues)).toContain(field);
  });
});

describe('a model with invalid figures', () => {
  it.each([
    [
      { id: 'm', contextLength: 100_000, reserveOutputTokens: 'x' },
      'model.reserveOutputTokens: expected a number of tokens',
    ],
    [{ id: 'm', contextLength: 100_000, reserveOutputTokens: Number.NaN }, 'given: NaN'],
    [{ id: 'm', contextLength: 100_000, reserveOutputTokens: -5 }, 'given: -5'],
    [{ id: 'm', contextLength: '100k' }, 'model.contextLength: expected a number of tokens'],
    [{ contextLength: 100_000 }, 'model.id: expected'],
  ])('%j is rejected, and the previous model stays', async (given, message) => {
    const engine = makeEngine(testHost());
    await engine.updateModel(model(200_000));
    const { thresholdTokens } = engine.state;
    await expect(engine.updateModel(given as never)).rejects.toThrow(message);
    expect(engine.state.thresholdTokens).toBe(thresholdTokens);
  });
});
