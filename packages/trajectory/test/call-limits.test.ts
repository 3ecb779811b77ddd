import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { windowLimit } from '../src/queue/call-limit.ts';

describe('a limit on calls', () => {
  it('never exceeds the requested rate, and is at most 1 % below it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000 }), (wanted) => {
        const { max, duration } = windowLimit(wanted);
        expect(max).toBeGreaterThanOrEqual(1);
        expect((max * 60_000) / duration).toBeLessThanOrEqual(wanted);
        expect((max * 60_000) / duration).toBeGreaterThanOrEqual(wanted * 0.99);
      }),
    );
  });

  it('is spread evenly: no window is longer than one call needs, or a tenth of a second', () => {
    expect([1, 60, 600, 6_000, 60_000].map(windowLimit)).toEqual([
      { max: 1, duration: 60_000 },
      { max: 1, duration: 1_000 },
      { max: 1, duration: 100 },
      { max: 10, duration: 100 },
      { max: 100, duration: 100 },
    ]);
  });
});
