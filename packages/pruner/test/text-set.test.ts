import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TextSet } from '../src/strategies/text-set.ts';

/** Texts that differ in at most one character, with lengths around the limit of hashing. */
const texts = fc
  .record({
    length: fc.constantFrom(240, 241, 16_000, 33_000),
    at: fc.nat(),
    mark: fc.constantFrom('.', 'x', 'y', 'z'),
  })
  .map(({ length, at, mark }) => {
    const place = at % length;
    return `${'.'.repeat(place)}${mark}${'.'.repeat(length - place - 1)}`;
  });

describe('TextSet', () => {
  it('contains exactly the texts that were added', () => {
    fc.assert(
      fc.property(fc.array(texts, { maxLength: 40 }), fc.array(texts, { maxLength: 20 }), (added, asked) => {
        const set = new TextSet();
        const known = new Set<string>();
        for (const text of added) {
          expect(set.has(text)).toBe(known.has(text));
          if (known.has(text)) continue;
          set.add(text);
          known.add(text);
        }
        for (const text of [...added, ...asked]) expect(set.has(text)).toBe(known.has(text));
      }),
    );
  });
});
