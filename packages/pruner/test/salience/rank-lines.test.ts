import type { Message } from '@palimpsest/core';
import { assistant, call, callsWithResults, user } from '@palimpsest/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callPurpose } from '../../src/salience/kinds/call-purpose.ts';
import { rankLines } from '../../src/salience/rank/rank-lines.ts';
import { readTranscriptLines } from '../../src/salience/read/read-transcript-lines.ts';

/** The text and the rank of each line, in order. */
function ranked(messages: readonly Message[]): { text: string; score: number }[] {
  const record = readTranscriptLines(messages, (at) => messages[at]!.role === 'user');
  const { scores } = rankLines(record, []);
  return record.lines.map(({ text }, index) => ({ text, score: scores[index]! }));
}
const scoreOf = (messages: readonly Message[], part: string, last = true): number => {
  const lines = ranked(messages).filter(({ text }) => text.includes(part));
  return (last ? lines.at(-1)! : lines[0]!).score;
};

describe('the ranking of lines', () => {
  const page = 'export function readLedger(path) {\n  return openLedger(path).entries;\n}';

  it('ranks lines that were looked up above the output of commands and changes', () => {
    const session = (name: string, input: Record<string, unknown>): Message[] => [
      user('Make readLedger faster.'),
      ...callsWithResults([call('a', name, input), page]),
      assistant('openLedger is slow.'),
    ];
    const found = scoreOf(session('Read', { file_path: 'ledger.ts' }), 'openLedger(path)');
    const shown = scoreOf(session('Bash', { command: 'cd src && cat ledger.ts' }), 'openLedger(path)');
    const done = scoreOf(session('Bash', { command: 'npm test 2>&1 | tail -5' }), 'openLedger(path)');
    expect(found).toBeGreaterThan(shown);
    expect(shown).toBeGreaterThan(done);
    const changed = scoreOf(session('Edit', { file_path: 'ledger.ts' }), 'openLedger(path)');
    expect(found).toBeGreaterThan(changed);
    expect(changed).toBeGreaterThan(done);
  });

  it('derives the purpose of a call from the tool names of known agents', () => {
    const purposeOf = (name: string, target = ''): string =>
      callPurpose({ name, target, at: 0, line: 0, answeredAt: 0 });
    for (const name of ['bash', 'Bash', 'run_terminal_cmd', 'execute_bash', 'container.exec', 'mcp__box__run_command'])
      expect([name, purposeOf(name, 'make')]).toEqual([name, 'action']);
    for (const name of ['write_file', 'MultiEdit', 'apply_patch', 'functions.edit', 'str_replace_based_edit_tool'])
      expect([name, purposeOf(name, 'create')]).toEqual([name, 'change']);
    for (const name of ['Read', 'grep', 'web_search', 'code_search', 'mcp__linear__create_issue', 'get_weather', ''])
      expect([name, purposeOf(name)]).toEqual([name, 'lookup']);
    expect(purposeOf('str_replace_editor', 'view')).toBe('lookup');
    for (const command of ['cat a.ts', 'cd x && grep -rn y .', "sed -n '1,9p' a", 'git -C /x show HEAD', 'ls\necho'])
      expect([command, purposeOf('Bash', command)]).toEqual([command, 'display']);
    for (const command of ['cargo test | tail', 'cat > a.ts <<EOF', 'git commit -m x', 'node cat.js'])
      expect([command, purposeOf('Bash', command)]).toEqual([command, 'action']);
  });

  it('ranks a repeated line high at its newest place only', () => {
    const read = (id: string, text: string): Message[] =>
      callsWithResults([call(id, 'Read', { file_path: 'ledger.ts' }), text]);
    const twice = [user('Make openLedger faster.'), ...read('a', page), ...read('b', page)];
    expect(scoreOf(twice, 'openLedger(path)')).toBeGreaterThan(10 * scoreOf(twice, 'openLedger(path)', false));
    const once = [
      user('Make openLedger faster.'),
      ...read('a', page.replaceAll('Ledger', 'Journal')),
      ...read('b', page),
    ];
    expect(scoreOf(twice, 'openLedger(path)')).toBeGreaterThan(1.5 * scoreOf(once, 'openLedger(path)'));
  });

  it('ranks and costs a line without the number that a listing put in front of it', () => {
    const session = (text: string): Message[] => [
      user('Make openLedger faster.'),
      ...callsWithResults([call('a', 'Read', { file_path: 'ledger.ts' }), text]),
    ];
    const listed = page
      .split('\n')
      .map((line, at) => `${120 + at}\u2192${line}`)
      .join('\n');
    expect(scoreOf(session(listed), 'openLedger(path)')).toBeCloseTo(scoreOf(session(page), 'openLedger(path)'), 9);
  });

  it('raises a common line between lines worth keeping', () => {
    const filler = Array.from(
      { length: 12 },
      (_, line) => `nothing to see in here, row by row, ${'abcdefghijkl'[line]}`,
    );
    const session = (text: string): Message[] => [
      user('Make readLedger and openLedger faster; closeLedger as well.'),
      ...callsWithResults([call('a', 'Read', { file_path: 'ledger.ts' }), text]),
      ...callsWithResults([call('b', 'Read', { file_path: 'end.ts' }), '}']),
    ];
    const within = session(['readLedger(path)', '}', 'openLedger(path)', 'closeLedger(path)'].join('\n'));
    const alone = session([...filler.slice(0, 6), '}', ...filler.slice(6)].join('\n'));
    expect(scoreOf(within, '}', false)).toBeGreaterThan(1.5 * scoreOf(alone, '}', false));
  });

  it('gives every line a finite rank above 0', () => {
    const text = fc.array(fc.constantFrom('', '}', 'src/a.ts:12', 'plain words', 'x'.repeat(700), '\u{1f600}'), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(fc.array(text, { maxLength: 8 }), (texts) => {
        const lines = ranked(
          texts.flatMap((own, at) => callsWithResults([call(`c${at}`, at % 2 ? 'Bash' : 'Read', {}), own.join('\n')])),
        );
        for (const { score } of lines) expect(score > 0 && Number.isFinite(score)).toBe(true);
      }),
      { numRuns: 100 },
    );
  });
});
