import fc from 'fast-check';
import { expect, it } from 'vitest';
import { urlMatchers } from '../src/kinds/url.ts';
import { vendorMatchers } from '../src/kinds/vendor.ts';
import { createScanner } from '../src/scan/scan.ts';
import { classMembers, classOfByte } from '../src/scan/scan-classes.ts';

const characters = ['a', 'B', '1', '-', '"', 'é', '字', '😀', '\ufffd'];
const keyword = fc.string({ unit: fc.constantFrom(...characters), minLength: 2, maxLength: 5 });
/** Includes lone surrogates. */
const text = fc.string({ unit: fc.constantFrom(...characters, '\ud83d', '\ude00'), maxLength: 24 });
/** Characters of one to four bytes, to fill a chunk of the scan except its end. */
const filling = fc.constantFrom('.', 'ü', '→', '🙂');

/** Condition on the character before a keyword. Used for half of the keywords. */
const mayPrecede = (code: number): boolean => !'aAbB'.includes(String.fromCharCode(code));
const isParticular = (literal: string): boolean => literal.length % 2 === 1;

function found(keywords: readonly string[], given: string): [string, number][] {
  const hits: [string, number][] = [];
  const scan = createScanner(
    [...new Set(keywords)].map((literal) => ({
      literal,
      caseSensitive: true,
      after: isParticular(literal) ? mayPrecede : undefined,
    })),
  );
  scan(given, ({ literal }, at) => hits.push([literal, at]));
  return hits.sort(([a, first], [b, second]) => first - second || (a < b ? -1 : 1));
}

function standing(keywords: readonly string[], given: string): [string, number][] {
  const all = [...new Set(keywords)].flatMap((literal) => {
    const places: [string, number][] = [];
    for (let at = given.indexOf(literal); at >= 0; at = given.indexOf(literal, at + 1))
      if (!isParticular(literal) || mayPrecede(Math.min(given.charCodeAt(at - 1), 128))) places.push([literal, at]);
    return places;
  });
  return all.sort(([a, first], [b, second]) => first - second || (a < b ? -1 : 1));
}

it('finds every keyword in any text, also across chunk borders', () => {
  fc.assert(
    fc.property(
      fc.array(keyword, { minLength: 1, maxLength: 4 }),
      fc.array(fc.oneof(text, keyword), { maxLength: 6 }),
      fc.integer({ min: 0, max: 20 }),
      filling,
      (keywords, parts, before, unit) => {
        const pieces = parts.flatMap((part, at) => [part, keywords[at % keywords.length]!]).join('');
        const length = (1 << 14) - before - Math.min(pieces.length, 12);
        const given = unit.repeat(length / unit.length) + pieces;
        expect(found(keywords, given)).toEqual(standing(keywords, given));
        expect(found(keywords, pieces)).toEqual(standing(keywords, pieces));
      },
    ),
  );
});

it('gets one answer per character class from each condition on the character before a keyword', () => {
  const conditions = [...vendorMatchers(), ...urlMatchers].flatMap(({ after }) => after ?? []);
  expect(new Set(conditions).size).toBeGreaterThan(3);
  for (const after of conditions)
    for (let code = 0; code <= 128; code += 1)
      expect(after(code)).toBe(after(classMembers.charCodeAt(classOfByte[code]!)));
});

it('finds keywords in either case unless they are case-sensitive', () => {
  const hits: number[] = [];
  createScanner([{ literal: 'Schlüssel', caseSensitive: false }])('SCHLüSSEL, schlüssel, SCHLÜSSEL', (_, at) =>
    hits.push(at),
  );
  // Non-ASCII letters are always case-sensitive.
  expect(hits).toEqual([0, 11]);
});
