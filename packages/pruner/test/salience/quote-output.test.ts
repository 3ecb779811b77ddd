import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quoteOutput, type ToolOutput } from '../../src/salience/excerpt/quote-output.ts';
import { readLineRange } from '../../src/salience/read/read-line-range.ts';

const ok = (output: string): ToolOutput => ({ output, exitCode: null, failed: false, error: null });
const failed = (output: string): ToolOutput => ({ ...ok(output), exitCode: 1, failed: true });
const numbered = (lines: readonly string[], from = 1): string =>
  lines.map((line, index) => `${String(from + index).padStart(6)}\u2192${line}`).join('\n');

describe('quoteOutput', () => {
  it('quotes what failed in a command', () => {
    const output = ['collected 3 items', 'FAILED test_a.py::test_add', 'E   assert 1 == 2', '1 failed, 2 passed'];
    expect(quoteOutput('command', failed(output.join('\n')), 200)).toBe(
      'FAILED test_a.py::test_add | E   assert 1 == 2 | 1 failed, 2 passed',
    );
  });
  it('lists the files of a diff', () => {
    const diff = 'diff --git a/x.ts b/x.ts\n--- a/x.ts\n+++ b/x.ts\n@@ -1 +1,2 @@\n-old\n+new\n+more\n';
    expect(quoteOutput('command', ok(diff), 200)).toBe('x.ts +2 -1');
  });
  it('quotes the end of other commands, without repetitions', () => {
    const output = ['loading ...', 'loading ...', 'loading ...', 'ready on port 3000'].join('\n');
    expect(quoteOutput('command', ok(output), 200)).toBe('loading ... (repeated) ready on port 3000');
  });
  it('quotes the declarations of a file', () => {
    const file = numbered(["import a from 'a';", 'export class Ledger {', '  total = 0;', 'function open() {']);
    expect(quoteOutput('read', ok(file), 200)).toBe('export class Ledger { function open() {');
  });
  it('quotes the beginning of a file without declarations, without line numbers', () => {
    expect(quoteOutput('read', ok(numbered(['alpha beta', 'gamma delta'])), 200)).toBe('alpha beta gamma delta');
  });
  it('prefers an error text that is apart from the output', () => {
    expect(quoteOutput('fetch', { ...failed('<html>'), error: 'HTTP 404' }, 200)).toBe('HTTP 404');
  });
  it('quotes only text of the output, in lines that fit', () => {
    const line = fc.constantFrom(
      'a plain line',
      'Error: no such file',
      '  at main.ts:3',
      'FAIL src/a.test.ts',
      '',
      '}',
    );
    const kind = fc.constantFrom('command' as const, 'read' as const, 'search' as const, 'write' as const);
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), kind, fc.boolean(), (lines, own, fails) => {
        const output = lines.join('\n');
        const quoted = quoteOutput(own, fails ? failed(output) : ok(output), 60);
        for (const word of quoted.replaceAll('(repeated)', '').split(/[ |]+/).filter(Boolean))
          expect(output).toContain(word);
        expect(quoted.length).toBeLessThanOrEqual(80);
      }),
    );
  });
});

describe('readLineRange', () => {
  it('reads the first and last number of a listing', () => {
    expect(readLineRange(numbered(['a', 'b', 'c'], 40))).toEqual([40, 42]);
    expect(readLineRange(`File a.ts\n${numbered(['a', 'b'])}\n\n(2 more lines)`)).toEqual([1, 2]);
  });
  it('is null for other texts', () => {
    for (const text of ['', 'plain', '3 apples', '1: one\n7: seven', `${numbered(['a', 'b'])}\nplain end`])
      expect(readLineRange(text)).toBe(null);
  });
});
