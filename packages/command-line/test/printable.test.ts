import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { printable } from '../src/printable.ts';

describe('printable text', () => {
  it('has no control characters, is one line, and respects its limit', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 2, max: 50 }), (text, limit) => {
        const line = printable(text, limit);
        expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/);
        expect(line.length).toBeLessThanOrEqual(limit);
      }),
    );
  });
});
