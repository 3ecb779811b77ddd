import { expect, test } from 'vitest';
import { median, spreadOf, withRange } from '../src/spread.ts';
import { atLeast, atMost, inPercent, inUnit, targetTable } from '../src/target.ts';

test('lists missed targets first and counts the met ones', () => {
  const table = targetTable([
    atMost('redactor', 'clean logs', 10, 10, inUnit(1, 'ms/MB')),
    atLeast('redactor', 'secrets masked', 0.99, 0.98, inPercent),
    atMost('tokens', 'error', 0.04, Number.NaN, inPercent),
  ]);
  const rows = table.split('\n').filter((line) => /\bmet\b/.test(line));
  expect(rows[0]).toMatch(/^1 of 3 met;/);
  expect(rows[1]).toBe('| **not met** | redactor | secrets masked | >= 99.0 % | 98.0 % |');
  expect(rows[2]).toContain('**not met** | tokens | error');
  expect(rows[3]).toBe('| met | redactor | clean logs | <= 10.0 ms/MB | 10.0 ms/MB |');
});

test('a spread is the median, the minimum and the maximum', () => {
  expect(withRange(spreadOf([3, 1, 2]), 1)).toBe('2.0 (1.0 to 3.0)');
  expect(median([])).toBeNaN();
});
