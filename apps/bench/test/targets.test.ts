import { expect, test } from 'vitest';
import { detailsText, resultsText } from '../src/results-text.ts';
import { markdownOf } from '../src/section.ts';
import { exponentOf, median, spreadOf, withRange } from '../src/spread.ts';
import { atLeast, atMost, failing, failures, inPercent, inUnit } from '../src/target.ts';

test('lists missed targets first and counts the met ones', () => {
  const targets = [
    atMost('redactor', 'clean logs', 10, 10, inUnit(1, 'ms/MB')),
    atLeast('redactor', 'secrets masked', 0.99, 0.98, inPercent),
    atMost('tokens', 'error', 0.04, Number.NaN, inPercent),
  ];
  const details = detailsText({ setting: 'Some day, some machine.', targets }, []);
  const rows = details.split('\n').filter((line) => /\bmet\b/.test(line));
  expect(rows[0]).toMatch(/^1 of 3 met,/);
  expect(rows[1]).toBe('| **not met** | redactor | secrets masked | >= 99.0 % | 98.0 % |  |');
  expect(rows[2]).toContain('**not met** | tokens | error');
  expect(rows[3]).toBe('| met | redactor | clean logs | <= 10.0 ms/MB | 10.0 ms/MB |  |');
});

test('a spread is the median, the minimum and the maximum', () => {
  expect(withRange(spreadOf([3, 1, 2]), 1)).toBe('2.0 (1.0 to 3.0)');
  expect(median([])).toBeNaN();
});

test('the exponent is the one that produced the costs', () => {
  for (const exponent of [0.5, 1, 1.1, 2]) {
    const points = [100, 400, 1_000, 16_000].map((size) => [size, 3 * size ** exponent] as const);
    expect(exponentOf(points)).toBeCloseTo(exponent, 9);
  }
});

test('the results begin with what is missed; the details have everything', () => {
  const targets = [
    atMost('tokens', 'error', 0.04, 0.03, inPercent),
    { ...atMost('proxy', 'first byte', 2, 3.9, inUnit(1, 'ms')), possible: '1.4 ms' },
    atMost('proxy', 'memory', 2, 1, inUnit(1, 'MB')),
  ];
  const measured = { setting: 'Some day, some machine.', targets };
  const short = resultsText(measured, [
    { title: 'Economics', markdown: 'Costs.' },
    { title: 'Evaluation', markdown: 'A table.' },
  ]).split('\n');
  expect(short.find((line) => line.startsWith('## '))).toBe('## Missed: 1 of 3 targets');
  expect(short.filter((line) => line.startsWith('| **not met**'))).toEqual([
    '| **not met** | proxy | first byte | <= 2.0 ms | 3.9 ms | 1.4 ms |',
  ]);
  expect(short).toContain('Met, by area: tokens 1 of 1, proxy 1 of 2.');
  expect(short.indexOf('Costs.')).toBeLessThan(short.indexOf('A table.'));
  expect(short).toContain('## Economics');
  const details = detailsText(measured, [{ title: 'Sizes', markdown: 'Small.' }]);
  expect(details).toContain('2 of 3 met');
  expect(details).toContain('## Sizes\n\nSmall.');
});

test('only missed targets that say so fail a run, some of them only a full one', () => {
  const missed = atMost('tokens', 'error', 0.04, 0.05, inPercent);
  const targets = [missed, failing(missed), failing(missed, 'in full'), failing(atMost('tokens', 'error', 0.04, 0.03))];
  expect(failures(targets, true)).toEqual(['error: 5.0 %, not <= 4.0 %']);
  expect(failures(targets, false)).toHaveLength(2);
});

test('paragraphs and tables become Markdown', () => {
  expect(markdownOf(['One.', '', { head: ['a', 'b'], rows: [['x', '1']] }])).toBe(
    'One.\n\n| a | b |\n| --- | ---: |\n| x | 1 |',
  );
});
