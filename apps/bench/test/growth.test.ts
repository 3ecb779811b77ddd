import { describe, expect, it } from 'vitest';
import { exponentOf } from '../src/growth/exponent.ts';
import { peaksOf } from '../src/growth/measure-growth.ts';

describe('growth', () => {
  it('recovers the exponent that produced the costs', () => {
    for (const exponent of [0.5, 1, 1.1, 2]) {
      const points = [100, 400, 1_000, 16_000].map((size) => [size, 3 * size ** exponent] as const);
      expect(exponentOf(points)).toBeCloseTo(exponent, 9);
    }
  });

  it('reads the peak heap of each measurement from the garbage-collection trace', () => {
    const trace = [
      '[7:0x1d0]      114 ms: Scavenge 2.5 (18.8) -> 2.4 (18.0) MB, 0.06 / 0.00 ms  (average mu = 1.000) testing; ',
      '[7:0x1d0]      124 ms: Scavenge 13.5 (18.0) -> 13.2 (29.5) MB, 9.34 / 0.00 ms  allocation failure; ',
      '[7:0x1d0]      144 ms: Mark-Compact (reduce) 20.0 (29.5) -> 11.3 (27.9) MB, 17.88 / 0.00 ms  GC in old space requested',
      '[7:0x1d0]      160 ms: Scavenge 3.0 (30.9) -> 2.7 (20.0) MB, 0.32 / 0.00 ms  testing; ',
    ].join('\n');
    expect(peaksOf(trace)).toEqual([20 * 2 ** 20, 3 * 2 ** 20]);
  });
});
