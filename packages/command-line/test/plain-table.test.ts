import fc from 'fast-check';
import { expect, it } from 'vitest';
import { plainTable, wrapText } from '../src/plain-table.ts';
import { widthOf } from '../src/text-width.ts';

it('aligns columns as requested, without lines around them', () => {
  const rows = [
    ['rows', '1,204', ''],
    ['tokens', '9', 'untouched'],
  ];
  expect(plainTable(['left', 'right', 'left'], rows)).toBe('rows    1,204\ntokens      9  untouched');
});

it('shows the lines of a cell below each other, and counts wide characters as two', () => {
  expect(
    plainTable(
      ['left', 'right'],
      [
        ['\nname', 'tokens\nleft'],
        ['日本', '7'],
      ],
    ),
  ).toBe('      tokens\nname    left\n日本       7');
});

it('breaks text between words, and cuts a longer word', () => {
  expect(wrapText('one two three', 8)).toBe('one two\nthree');
  expect(wrapText('\u001b[1munbreakable\u001b[22m', 8)).toBe('\u001b[1munbreak…\u001b[22m');
});

it('fits every text into the width, and keeps its words', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 10, max: 60 }), (given, width) => {
      const text = given.replace(/\s+/g, ' ').trim();
      const lines = wrapText(text, width).split('\n');
      for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(width);
      if (text.split(' ').every((word) => widthOf(word) <= width)) expect(lines.join(' ')).toBe(text);
    }),
  );
});
