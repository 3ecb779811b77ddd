import { PalimpsestError } from '@palimpsest/core';
import { describe, expect, it } from 'vitest';
import {
  type EvalErrorCode,
  type EvaluateOptions,
  evaluate,
  evaluationMeasures,
  newestTokens,
} from '../../src/index.ts';
import { samples } from '../samples.ts';

const transcripts = samples('shop-outage-german');
const quick: EvaluateOptions = {
  transcripts,
  compactors: { 'newest tokens': newestTokens },
  budgets: [0.3],
  cuts: [0.6],
  chainSteps: 2,
  resamples: 20,
};

const failure = async (options: EvaluateOptions): Promise<PalimpsestError<EvalErrorCode>> => {
  const error: unknown = await evaluate(options).catch((thrown: unknown) => thrown);
  if (!PalimpsestError.is<EvalErrorCode>(error)) throw error;
  return error;
};

describe('evaluate', () => {
  it('gives the original full marks, and an empty output none', async () => {
    const { results } = await evaluate({
      ...quick,
      compactors: {
        // The budget is nearly the original, so that nothing has to go.
        original: (messages) => messages,
        nothing: () => [],
      },
      budgets: [0.995],
      window: null,
    });
    const [original, nothing] = results.map(({ scores }) => scores);
    for (const measure of evaluationMeasures) {
      const [best, worst] = [original![measure], nothing![measure]];
      if (best === null || measure === 'used') continue;
      expect(best.value, measure).toBeCloseTo(1, 5);
      expect(worst!.value, measure).toBe(0);
    }
  });

  it('gives the same result for the same seed, with an interval around each value', async () => {
    const three = {
      ...quick,
      transcripts: samples('shop-outage-german', 'router-library', 'palimpsest-first-morning'),
      window: null,
    };
    const [first, again] = [await evaluate(three), await evaluate(three)];
    expect(again).toEqual(first);
    const { facts } = first.results[0]!.scores;
    expect(facts!.low).toBeLessThanOrEqual(facts!.value);
    expect(facts!.high).toBeGreaterThanOrEqual(facts!.value);
    expect(facts!.transcripts).toBe(3);
  });

  it('bills a whole conversation, and the calls that a compactor tells', async () => {
    const dear = (
      messages: Parameters<typeof newestTokens>[0],
      budget: number,
      counter: Parameters<typeof newestTokens>[2],
    ) => ({
      messages: newestTokens(messages, budget, counter),
      calls: [{ inputTokens: 1_000_000, outputTokens: 0 }],
    });
    const { results, dollarsUncompacted } = await evaluate({
      ...quick,
      compactors: { cheap: newestTokens, dear: { compact: dear } },
      chainSteps: 0,
      window: 32_000,
    });
    const [cheap, expensive] = results.map(({ scores }) => scores.dollars!.value);
    expect(dollarsUncompacted).toBeGreaterThan(0);
    // $3 for a million tokens, for each compaction.
    expect(expensive! - cheap!).toBeGreaterThan(2.9);
    expect(((expensive! - cheap!) / 3) % 1).toBeCloseTo(0, 5);
  });

  it('names what was lost', async () => {
    const { transcripts: found } = await evaluate({ ...quick, chainSteps: 0, window: null });
    const { lost } = found[0]!.losses[0]!;
    expect(lost.canaries.names.join('\n')).toMatch(/DRYDOCK_PORT: \d{5}/);
    expect(lost.facts.count).toBeGreaterThan(0);
    expect(lost.facts.names.length).toBeLessThanOrEqual(25);
    expect(lost.verbatim.names.every((text) => text.length <= 160)).toBe(true);
  });

  it('says which compactor failed, on what, and why', async () => {
    const thrown = await failure({
      ...quick,
      compactors: {
        broken: () => {
          throw new Error('no model');
        },
      },
    });
    expect(thrown.code).toBe('COMPACTOR_FAILED');
    expect(thrown.message).toMatch(
      /^The compactor "broken" failed on "shop-outage-german" with a budget of \d+ tokens: no model$/,
    );
    const shapeless = await failure({ ...quick, compactors: { odd: () => [{ content: 'no role' }] as never } });
    expect(shapeless.message).toContain('message 0 of its output has no "role"');
    const none = await failure({ ...quick, compactors: { none: (() => undefined) as never } });
    expect(none.message).toContain('its output is not an array of messages');
  });

  it('rejects what it cannot measure', async () => {
    const short = await failure({
      ...quick,
      transcripts: [{ name: 'short', messages: [{ role: 'user', content: 'Hi.' }] }],
    });
    expect(short.code).toBe('TRANSCRIPTS_MISSING');
    expect(short.message).toContain('it has fewer than 20,000 tokens');
    for (const wrong of [{ budgets: [20] }, { cuts: [] }, { chainSteps: -1 }, { window: 5 }, { compactors: {} }])
      expect((await failure({ ...quick, ...wrong })).code).toBe('OPTION_INVALID');
  });

  it('stops when it is aborted', async () => {
    const signal = AbortSignal.abort();
    await expect(evaluate({ ...quick, signal })).rejects.toThrow(/abort/i);
  });
});
