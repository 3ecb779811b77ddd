import { expect, it } from 'vitest';
import { count } from '../src/count.ts';

it('sets thousands off, and rounds', () => {
  expect([0, 999.6, 1_234_567].map(count)).toEqual(['0', '1,000', '1,234,567']);
});
