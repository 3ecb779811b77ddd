import { expect, it } from 'vitest';
import { plainTable } from '../src/plain-table.ts';

it('aligns columns as requested, without lines around them', () => {
  const rows = [
    ['rows', '1,204', ''],
    ['tokens', '9', 'untouched'],
  ];
  expect(plainTable(['left', 'right', 'left'], rows)).toBe('rows    1,204\ntokens      9  untouched');
});
