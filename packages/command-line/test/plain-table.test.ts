import { expect, it } from 'vitest';
import { plainTable } from '../src/plain-table.ts';

it('sets rows as columns that lean as they are told, with nothing around them', () => {
  const rows = [
    ['rows', '1,204', ''],
    ['tokens', '9', 'untouched'],
  ];
  expect(plainTable(['left', 'right', 'left'], rows)).toBe('rows    1,204\ntokens      9  untouched');
});
