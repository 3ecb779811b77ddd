import type { Message } from '@palimpsest/core';
import { assistant, call, callsWithResults, user } from '@palimpsest/testkit';
import { describe, expect, it } from 'vitest';
import { selectLines } from '../../src/salience/excerpt/select-lines.ts';
import { rankLines } from '../../src/salience/rank/rank-lines.ts';
import { readTranscriptLines } from '../../src/salience/read/read-transcript-lines.ts';

/** Returns the texts of the chosen lines. Candidates are the lines with a positive `wanted`, highest first. */
function chosen(messages: readonly Message[], wanted: (text: string, at: number) => number, room: number): string[] {
  const record = readTranscriptLines(messages, (at) => messages[at]!.role === 'user');
  const order = [...record.lines.keys()]
    .filter((index) => wanted(record.lines[index]!.text, record.lines[index]!.at) > 0)
    .sort((a, b) => {
      const [one, other] = [record.lines[a]!, record.lines[b]!];
      return wanted(other.text, other.at) - wanted(one.text, one.at);
    });
  const ranked = rankLines(record, []);
  const picked = selectLines({ record, ranked, order }, room, new Set());
  return record.lines.flatMap(({ text }, index) => (picked[index] ? [text] : []));
}

const read = (id: string, ...lines: readonly string[]): Message[] =>
  callsWithResults([call(id, 'Read', { file_path: `${id}.ts` }), lines.join('\n')]);

describe('the selection of lines', () => {
  const code = [
    'const ledger = openLedger(path);',
    'for (const one of all) {',
    'return ledger.entries;',
    'closeLedger(ledger, all);',
  ];

  it('chooses a short line between two chosen ones before lines that are worth more', () => {
    const rank = (text: string): number =>
      /openLedger|entries/.test(text) ? 3 : text === 'closeLedger(ledger, all);' ? 2 : 1;
    const messages = [user('Make it faster.'), ...read('ledger', ...code)];
    expect(chosen(messages, (text, at) => (at < 2 ? 0 : rank(text)), 31)).toEqual(code.slice(0, 3));
  });

  it('chooses lines that stay elsewhere only if there is room for all', () => {
    const messages = [
      user('Make it faster.'),
      ...read('old', ...code, 'const other = closeOther();'),
      assistant('I read it again.'),
      ...read('new', ...code),
    ];
    const stays = (text: string, at: number): number => (at !== 2 ? 0 : text.includes('Other') ? 1 : 2);
    expect(chosen(messages, stays, 30)).toContain('const other = closeOther();');
    expect(chosen(messages, stays, 30)).not.toContain('for (const one of all) {');
  });
});
