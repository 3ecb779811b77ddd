import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callsPerMinute, windowLimit } from '../src/queue/call-rate.ts';
import { watchStandstills } from '../src/queue/standstills.ts';

describe('a limit on calls', () => {
  it('is never above what was asked for, and at most one in a hundred below', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000 }), (wanted) => {
        const { max, duration } = windowLimit(wanted);
        expect(max).toBeGreaterThanOrEqual(1);
        expect((max * 60_000) / duration).toBeLessThanOrEqual(wanted);
        expect((max * 60_000) / duration).toBeGreaterThanOrEqual(wanted * 0.99);
        expect(callsPerMinute({ max, duration })).toBeGreaterThanOrEqual(Math.floor(wanted * 0.99));
      }),
    );
  });

  it('is evened out: no window is longer than one call needs, or a tenth of a second', () => {
    expect([1, 60, 600, 6_000, 60_000].map(windowLimit)).toEqual([
      { max: 1, duration: 60_000 },
      { max: 1, duration: 1_000 },
      { max: 1, duration: 100 },
      { max: 10, duration: 100 },
      { max: 100, duration: 100 },
    ]);
  });
});

describe('a process that stood still', () => {
  it('knows it even before its timers run, and what came after is not affected', () => {
    let now = 1_000;
    const standstills = watchStandstills(() => now);
    now += 1_900;
    expect(standstills.hasBeenSince(1_000)).toBe(false);
    now += 5_000;
    expect(standstills.hasBeenSince(1_000)).toBe(true);
    expect(standstills.hasBeenSince(now)).toBe(false);
    now += 1_000;
    expect(standstills.hasBeenSince(now - 500)).toBe(false);
    standstills.stop();
  });
});
