import { expect, it } from 'vitest';
import { count, formatCount } from '../src/count.ts';

it('adds thousands separators and rounds', () => {
  expect([0, 999.6, 1_234_567].map(count)).toEqual(['0', '1,000', '1,234,567']);
});

it('uses the singular or the plural of the noun', () => {
  expect([1, 0, 2_000].map((value) => formatCount(value, 'row'))).toEqual(['1 row', '0 rows', '2,000 rows']);
  expect([1, 2].map((value) => formatCount(value, 'retry', 'retries'))).toEqual(['1 retry', '2 retries']);
});
