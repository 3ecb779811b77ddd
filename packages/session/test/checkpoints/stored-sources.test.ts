import type { Edit, LineSource } from '@palimpsest/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { restoreSources, storeSources } from '../../src/checkpoints/checkpoint-plan.ts';

const sources = fc.array(
  fc.record({ line: fc.nat(500), from: fc.array(fc.nat(4_000), { minLength: 1, maxLength: 4 }) }),
  { minLength: 1 },
);
const planWith = (own: readonly LineSource[] | undefined): Edit[] => [
  { kind: 'rewrite', at: 3, set: { content: 'x' }, reasons: [] },
  { kind: 'replace', groups: [0, 2], with: [{ handoff: 'h', carry: [1], ...(own && { sources: own }) }], reasons: [] },
];

describe('the sources of lines in a stored plan', () => {
  it('are restored as they were', () => {
    fc.assert(
      fc.property(fc.option(sources, { nil: undefined }), (own) => {
        const stored = JSON.parse(JSON.stringify(storeSources(planWith(own))));
        expect(restoreSources(stored)).toEqual(planWith(own));
      }),
    );
  });

  it('are the same text for the same lines at another place', () => {
    const lines = (from: number): LineSource[] => [
      { line: from, from: [1] },
      ...[30, 20, 41].map((at, down) => ({ line: from + 1 + down, from: [at, at + 1] })),
    ];
    const [one, other] = [lines(2), lines(40)].map((own) => JSON.stringify(storeSources(planWith(own))));
    expect(other).toBe(one!.replace('"2 1,', '"40 1,'));
  });

  it('that are damaged do not throw', () => {
    for (const text of ['', 'x', '1', ',', 7, [{}]]) {
      const [, stored] = storeSources(planWith([{ line: 1, from: [1] }])) as [unknown, { with: object[] }];
      expect(restoreSources([{ ...stored, with: [{ ...stored.with[0], sources: text }] }])).toHaveLength(1);
    }
  });
});
