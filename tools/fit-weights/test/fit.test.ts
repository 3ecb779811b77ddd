import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scan, textModel, unitsPerToken } from '../../../packages/tokens/src/estimate/text-model.ts';
import { packIntegers } from '../src/pack.ts';
import { solveRidge } from '../src/regression.ts';
import { featureCount, firstPair, textFeatures, weigh } from '../src/text-features.ts';

describe('fitting', () => {
  it('reads text exactly as the estimator does: features times weights equal its units', () => {
    for (const encoding of ['o200k_base', 'cl100k_base', 'claude'] as const) {
      const model = textModel(encoding);
      const weights = new Float64Array(featureCount);
      for (const step of model.steps) weights[(step & 0x3fff) >> 5] = (step >> 14) / unitsPerToken;
      model.pairs.forEach((units, at) => {
        weights[firstPair + at] = units / unitsPerToken;
      });
      fc.assert(
        fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
          expect(weigh(textFeatures([text]), weights)).toBeCloseTo(
            scan(model, text, 0, text.length) / unitsPerToken,
            6,
          );
        }),
      );
    }
  });

  it('recovers the weights that produced the targets', () => {
    const truth = [2, -1, 0.5];
    const rows = Array.from({ length: 40 }, (_, at) => ({
      indices: Int32Array.of(0, 1, 2),
      counts: Float64Array.of(at % 5, at % 3, (at * 7) % 11),
    }));
    const targets = Float64Array.from(rows, ({ counts }) =>
      counts.reduce((sum, count, at) => sum + count * truth[at]!, 0),
    );
    const solved = solveRidge({
      rows,
      targets,
      importance: new Float64Array(40).fill(1),
      features: [0, 1, 2],
      ridge: 1e-9,
    });
    truth.forEach((weight, at) => {
      expect(solved.get(at)).toBeCloseTo(weight, 6);
    });
  });

  it('packs numbers of every supported size, and runs of zeros', () => {
    expect(packIntegers([0, 0, 1, -26, 25, 0])).toBe('bC([');
    expect(packIntegers([26, -27])).toBe(']C(]A[');
  });
});
