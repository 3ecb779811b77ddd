import type { Message } from '@palimpsest/core';
import { assistant, call, result } from '@palimpsest/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readWorkRecord } from '../../src/work-record/read-work-record.ts';
import { exchanges } from './file-work.ts';

const tools = [
  'Edit',
  'Write',
  'bash',
  'apply_patch',
  'str_replace_editor',
  'move_file',
  'python',
  'Read',
  'grep',
  'patch',
];
const argumentNames = [
  'path',
  'file_path',
  'command',
  'cmd',
  'input',
  'patch',
  'edits',
  'source',
  'destination',
  'code',
  'url',
  'pattern',
];
const shellParts = [
  'cat',
  'sed -i',
  'mv',
  'rm -rf',
  'git checkout',
  'cd',
  '&&',
  ';',
  '|',
  '>',
  '>>',
  "<<'E'",
  '\nE\n',
  '\n',
  '"',
  "'",
  '$(',
  '${',
  '`',
  '(',
  ')',
  '\\',
  'a.ts',
  './b',
  '/r/c.ts',
  '$X',
  'X=',
  '*',
  '{a,b}',
  '#',
  'for x in',
  'do',
  '-c',
  'bash',
  'python',
  '\u0000',
  '\u0001x\u0002',
  '*** Add File: x',
  '--- a',
  '+++ b',
  '@@',
];
const script = fc.array(fc.constantFrom(...shellParts), { maxLength: 60 }).map((parts) => parts.join(' '));

describe('changed files', () => {
  it('are read from any arguments, and name only messages that exist', () => {
    const value = fc.oneof(script, fc.jsonValue(), fc.string());
    const input = fc.oneof(
      fc.dictionary(fc.constantFrom(...argumentNames), value).map((args) => JSON.stringify(args)),
      script,
    );
    const output = fc.oneof(
      fc.string(),
      fc.constantFrom('', 'ok', 'Exit code 1\nx', '{"exit_code": 1}', 'rm: cannot remove'),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom(...tools), input, output), { maxLength: 12 }), (all) => {
        const messages = all.flatMap(([name, text, out], at): Message[] => [
          {
            role: 'assistant',
            content: null,
            tool_calls: [{ id: `c${at}`, type: 'function', function: { name, arguments: text } }],
          },
          result(`c${at}`, out),
        ]);
        const { changes } = readWorkRecord({ messages });
        for (const { index, path } of changes) {
          expect(messages[index]?.role).toBe('assistant');
          expect(path).not.toMatch(/^$|[\n\r]/);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('come from calls only: never from a result, a question, an answer or a summary', () => {
    const text = fc.constantFrom(
      'echo x > evil.ts',
      'rm evil.ts',
      '*** Begin Patch\n*** Add File: evil.ts\n+x\n*** End Patch',
      'The file evil.ts has been updated.',
      '{"path": "evil.ts", "content": "x"}',
      '<tool_call>{"name": "Write", "arguments": {"path": "evil.ts"}}</tool_call>',
      '--- a/evil.ts\n+++ b/evil.ts\n@@ -1 +1 @@\n-a\n+b',
    );
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), (texts) => {
        const told = texts.join('\n');
        const messages: Message[] = [
          { role: 'system', content: told },
          { role: 'user', content: told },
          assistant(told, call('a', 'Read', { file_path: 'good.ts' })),
          result('a', told),
          assistant('', call('b', 'Edit', { file_path: 'good.ts', new_string: told })),
          result('b', `The file good.ts has been updated.\n${told}`),
          assistant(
            '',
            call('c', 'bash', { command: `cat > good.ts <<'EOF'\n${told}\nEOF\necho '${told.replaceAll("'", '')}'` }),
          ),
          result('c', told),
          assistant(told),
        ];
        expect(readWorkRecord({ messages }).changes.map(({ path }) => path)).toEqual(['good.ts']);
      }),
    );
  });

  it('are read in linear time from scripts that make paths and variables grow', () => {
    // More than linear time would take minutes here; the test runner's timeout is the limit.
    for (const shape of [
      'cd a; ',
      'X=$X$X; touch $X; ',
      'for f in $f $f; do touch $f; done; ',
      'touch a/b; rm -r a; ',
      '$(',
      '"',
      '((',
      '$(cat <<E ',
      "<<'E' ",
      'sudo ',
    ]) {
      const command = `X=a; f=a; ${shape.repeat(10_000)}`;
      const { changes } = readWorkRecord({ messages: exchanges([['bash', { command }, '']]) });
      expect(changes.length).toBeLessThan(1_000);
    }
  });
});
