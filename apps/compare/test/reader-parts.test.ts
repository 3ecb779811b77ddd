import type { HandoffLine } from '@palimpsest/session';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rangesOf } from '../web/src/handoff/find.ts';
import { parseHandoff, readItem } from '../web/src/handoff/parse-handoff.ts';
import { scrollTopFor, visibleRows } from '../web/src/messages/visible-rows.ts';
import { stepTo } from '../web/src/step-to.ts';
import { findSharedWords } from '../web/src/worker/find-shared-words.ts';
import { textChanges } from '../web/src/worker/text-changes.ts';

const linesOf = (texts: readonly string[]): readonly HandoffLine[] =>
  texts.map((text, line) => ({ line, section: null, text, from: null }));

describe('parseHandoff', () => {
  it('shows every line that is not blank, a heading or a fence exactly once', () => {
    const text = fc.constantFrom(
      '## Goal',
      '- an item',
      '  2. another',
      'a sentence',
      '',
      '````',
      '```',
      '> x',
      '#hash',
    );
    fc.assert(
      fc.property(fc.array(text, { maxLength: 30 }), (texts) => {
        const sections = parseHandoff(linesOf(texts));
        const shown = sections.flatMap(({ blocks }) => blocks.flatMap(({ lines }) => lines.map(({ line }) => line)));
        expect(new Set(shown).size).toBe(shown.length);
        const left = texts.flatMap((own, line) =>
          /^(?:\s*|## Goal|`{3,4})$/.test(own) || shown.includes(line) ? [] : [own],
        );
        expect(left).toEqual([]);
      }),
    );
  });

  it('reads headings, lists, numbers and code', () => {
    const texts = [
      'Before.',
      '## Done',
      '12. one',
      '  - two',
      '',
      'text',
      '````',
      '## not a heading',
      '- code',
      '````',
    ];
    const sections = parseHandoff(linesOf(texts));
    expect(sections.map(({ title, blocks }) => [title, blocks.map(({ kind, lines }) => [kind, lines.length])])).toEqual(
      [
        [null, [['text', 1]]],
        [
          'Done',
          [
            ['list', 2],
            ['text', 1],
            ['code', 2],
          ],
        ],
      ],
    );
    expect(readItem('12. one')).toEqual({ text: 'one', depth: 0, mark: '12.' });
    expect(readItem('  - two')).toEqual({ text: 'two', depth: 1, mark: null });
  });
});

describe('findSharedWords', () => {
  it('finds the words that a line and a text have in common, in the same order', () => {
    const found = (line: string, text: string) => findSharedWords(text)(line).map(([from, to]) => line.slice(from, to));
    expect(found('- src/a.ts was edited twice', 'I edited src/a.ts, then tested it twice.')).toEqual([
      'src/a.ts',
      'edited',
      'twice',
    ]);
    expect(found('a in the no', 'no one in the house has a car')).toEqual(['in the']);
    expect(found('', 'text')).toEqual([]);
  });

  it('returns parts of the line, in order and without overlaps', () => {
    const words = fc.array(fc.constantFrom('alpha', 'beta', 'a', '-', 'src/x.ts', 'Ünï'), { maxLength: 20 });
    fc.assert(
      fc.property(words, words, (one, other) => {
        const line = one.join(' ');
        let end = 0;
        for (const [from, to] of findSharedWords(other.join(' '))(line)) {
          expect(from).toBeGreaterThanOrEqual(end);
          expect(to).toBeGreaterThan(from);
          end = to;
        }
        expect(end).toBeLessThanOrEqual(line.length);
      }),
    );
  });
});

describe('textChanges', () => {
  const textOf = (before: string, after: string, kinds: readonly string[]) =>
    textChanges(before, after)!
      .filter(({ kind }) => kinds.includes(kind))
      .map(({ text }) => text)
      .join('');

  it('holds the words of both texts', () => {
    const text = fc.array(fc.constantFrom('one', 'two', 'three', '\n', '4', '.'), { maxLength: 12 });
    const squeezed = (value: string) => value.replace(/\s+/g, '');
    fc.assert(
      fc.property(text, text, (one, other) => {
        const [before, after] = [one.join(' '), other.join(' ')];
        fc.pre(before.split('\n').length <= 4 && after.split('\n').length <= 4);
        expect(squeezed(textOf(before, after, ['same', 'removed']))).toBe(squeezed(before));
        expect(squeezed(textOf(before, after, ['same', 'added']))).toBe(squeezed(after));
      }),
    );
  });

  it('compares similar lines by words, and folds long parts', () => {
    expect(textChanges('The quick brown fox\n', 'The quick red fox\n')!.map(({ kind }) => kind)).toEqual([
      'same',
      'removed',
      'added',
      'same',
    ]);
    const log = Array.from({ length: 9_000 }, (_, line) => `line ${line} of a log`).join('\n');
    const changes = textChanges(log, '[bash] ran a command')!;
    expect(changes.map(({ kind }) => kind)).toEqual(['removed', 'added']);
    expect(changes[0]!.text).toContain('[… 8,996 lines …]');
    expect(textChanges('x'.repeat(1_000_000), 'gone')![0]!.text.length).toBeLessThan(1_200);
  });
});

describe('the list of messages', () => {
  it('renders the rows in view', () => {
    const size = fc.integer({ min: 1, max: 2_000 });
    fc.assert(
      fc.property(fc.nat(20_000), size, fc.nat(1_000_000), size, (count, rowHeight, scrollTop, height) => {
        const { from, to } = visibleRows(count, rowHeight, scrollTop, height);
        for (let row = Math.floor(scrollTop / rowHeight); row * rowHeight < scrollTop + height && row < count; row++) {
          expect(row).toBeGreaterThanOrEqual(from);
          expect(row).toBeLessThan(to);
        }
        expect(to - from).toBeLessThanOrEqual(height / rowHeight + 18);
      }),
    );
  });

  it('scrolls a row into view, and reaches every row by keyboard', () => {
    fc.assert(
      fc.property(fc.nat(5_000), fc.nat(200_000), (row, scrollTop) => {
        const top = scrollTopFor(row, 44, scrollTop, 600);
        expect(row * 44).toBeGreaterThanOrEqual(top);
        expect(row * 44 + 44).toBeLessThanOrEqual(top + 600);
      }),
    );
    let row = stepTo('Home', 3, 400, 10)!;
    for (let next = stepTo('ArrowDown', row, 400, 10)!; next !== row; next = stepTo('ArrowDown', row, 400, 10)!) {
      expect(next).toBe(row + 1);
      row = next;
    }
    expect(row).toBe(399);
    expect(stepTo('a', 3, 400, 10)).toBeNull();
    expect(stepTo('End', 0, 0, 10)).toBeNull();
  });
});

describe('rangesOf', () => {
  it('finds a query without regard to case', () => {
    expect(rangesOf('Src/a and src/b', 'SRC/')).toEqual([
      [0, 4],
      [10, 14],
    ]);
    expect(rangesOf('anything', '')).toEqual([]);
  });
});
