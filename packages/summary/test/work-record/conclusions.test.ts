import { assistant, call, result, user } from '@palimpsest/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readWorkRecord } from '../../src/work-record/read-work-record.ts';

type Messages = Parameters<typeof readWorkRecord>[0]['messages'];
const told = (...messages: Messages[number][]): string[] =>
  readWorkRecord({ messages }).conclusions.map(({ text }) => text);
const work = [assistant('Looking.', call('a', 'bash', { command: 'ls' })), result('a', 'x')];
const after = (text: string): string[] => told(user('Fix it.'), ...work, assistant(text));

describe('conclusions', () => {
  it.each([
    ['Done!\n\nThe cache drops entries after an hour.', 'The cache drops entries after an hour.'],
    ['## Summary\n\nThe cache drops entries after an hour.', 'The cache drops entries after an hour.'],
    ['**What changed**\n\nThe cache drops entries after an hour.', 'The cache drops entries after an hour.'],
    ['Good question. Let me check the cache now. The cache drops entries.', 'The cache drops entries.'],
    ["I'll now run the tests.\nThe cache drops entries.", 'The cache drops entries.'],
    ["Here's a summary:\n\n- The cache drops entries.\n- It has a limit.", 'The cache drops entries. It has a limit.'],
    ['Fixed. The cache drops entries.', 'Fixed. The cache drops entries.'],
    ['```ts\nconst a = 1;\n```\nThe cache drops entries.', 'The cache drops entries.'],
    ['> quoted words of a file\n\nThe cache drops entries.', 'The cache drops entries.'],
    ['Numbers match:\n- 5 lines by the agent', 'Numbers match: 5 lines by the agent'],
    ['Erledigt!\n\nDer Cache leert sich nach einer Stunde.', 'Der Cache leert sich nach einer Stunde.'],
    [
      '\u5b8c\u4e86\u3057\u307e\u3057\u305f\u3002\n\n\u30ad\u30e3\u30c3\u30b7\u30e5\u3092\u76f4\u3057\u307e\u3057\u305f\u3002',
      '\u30ad\u30e3\u30c3\u30b7\u30e5\u3092\u76f4\u3057\u307e\u3057\u305f\u3002',
    ],
    ['Done!', 'Done!'],
  ])('are the first sentence or two that say something: %j', (text, expected) => {
    expect(after(text)).toEqual([expected]);
  });

  it('end turns: before the next message of the user, or at the end', () => {
    expect(told(user('Fix a.'), assistant('It leaks memory.'), user('Fix b.'), assistant('It is slow.'))).toEqual([
      'It leaks memory.',
      'It is slow.',
    ]);
    expect(told(user('Fix a.'), assistant('I found a leak.'), assistant('It is in the cache.'), user('ok'))).toEqual([
      'It is in the cache.',
    ]);
  });

  it('are missing in a turn that the user cut off, or that is not over', () => {
    expect(told(user('Fix a.'), assistant('It leaks.'), ...work, user('Stop, do b.'))).toEqual([]);
    expect(told(user('Fix a.'), ...work)).toEqual([]);
    expect(told(user('Fix a.'), assistant('It leaks.'), user('<system-reminder>x</system-reminder>'))).toEqual([]);
    expect(told(user('Fix a.'), assistant('No response requested.'), user('Fix b.'))).toEqual([]);
  });

  it.each([
    'I tried a lock here, but it failed because the file is shared.',
    "That approach won't work with async code.",
    "It won't work because the field is read-only.",
    'Das funktioniert nicht, weil die Datei gesperrt ist.',
    '\u8fd9\u4e2a\u65b9\u6cd5\u884c\u4e0d\u901a\uff0c\u56e0\u4e3a\u6587\u4ef6\u88ab\u9501\u5b9a\u4e86\uff0c\u65e0\u6cd5\u5199\u5165\u6570\u636e\u3002',
  ])('have dead ends in the middle of a turn, once: %s', (text) => {
    const middle = assistant(`Reading the file. ${text}`, call('b', 'bash', { command: 'ls' }));
    const messages = [
      user('Fix it.'),
      middle,
      result('b', 'x'),
      middle,
      result('b', 'x'),
      assistant('It is fixed now.'),
    ];
    expect(readWorkRecord({ messages }).conclusions).toEqual([
      { index: 1, text, isDeadEnd: true, endsTurn: false },
      { index: 5, text: 'It is fixed now.', isDeadEnd: false, endsTurn: true },
    ]);
  });

  it('stand in the message they name, are in order, and never throw', () => {
    const text = fc
      .array(
        fc.constantFrom(
          'Done! ',
          'I tried it, but it failed. ',
          '\n',
          '```\n',
          '# H\n',
          'It leaks. ',
          '\u{1f680}',
          '> q\n',
          '- a\n',
          '\u3002',
          ':\n',
          'e.g. ',
        ),
      )
      .map((all) => all.join(''));
    const one = fc.oneof(
      text.map(user),
      text.map((words) => assistant(words)),
      text.map((words) => assistant(words, call('a', 'bash', {}))),
    );
    fc.assert(
      fc.property(fc.array(one, { maxLength: 12 }), (messages) => {
        const { conclusions } = readWorkRecord({ messages });
        const indices = conclusions.map(({ index }) => index);
        expect(indices).toEqual([...new Set(indices)].sort((a, b) => a - b));
        for (const { index, text: told } of conclusions) {
          expect(messages[index]!.role).toBe('assistant');
          const bare = (words: unknown): string => String(words).replace(/\s+/g, '');
          for (const word of told.split(' ')) expect(bare(messages[index]!.content)).toContain(bare(word));
        }
      }),
      { numRuns: 200 },
    );
  });
});
