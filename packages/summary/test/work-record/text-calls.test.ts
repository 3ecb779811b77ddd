import type { Message } from '@palimpsest/core';
import { assistant, call, result, user } from '@palimpsest/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readWorkRecord } from '../../src/work-record/read-work-record.ts';
import { changesBy, shown } from './file-work.ts';

const fence = '```';
const changes = (...messages: readonly Message[]): string[] =>
  readWorkRecord({ messages: [user('Fix the parser.'), ...messages] }).changes.map(shown);

describe('calls that an agent writes as text', () => {
  it('are fenced scripts of mini-swe-agent', () => {
    const { changes: files, verdicts } = readWorkRecord({
      messages: [
        user('Fix the parser.'),
        assistant(`I change it.\n\n${fence}mswea_bash_command\nsed -i s/a/b/ parser.py && pytest\n${fence}`),
        user('<returncode>1</returncode>\n<output>\n=== 1 failed in 0.10s ===\n</output>'),
      ],
    });
    expect(files).toMatchObject([{ path: 'parser.py', edits: 1, index: 1 }]);
    expect(verdicts).toMatchObject([{ family: 'pytest', outcome: 'failed', index: 2 }]);
  });

  it('are commands of SWE-agent, whose editor works on the open file', () => {
    const prompt = '\n(Open file: /r/b.py)\n(Current directory: /r)\nbash-$';
    const block = (script: string): Message => assistant(`Next.\n${fence}\n${script}\n${fence}`);
    const messages = [
      user('Fix the parser.'),
      block('open src/b.py 20'),
      user(`[File: /r/src/b.py (30 lines total)]${prompt}`),
      block('edit 3:4\ndef parse():\n    return 1\nend_of_edit'),
      user(`[File: /r/src/b.py (29 lines total)]${prompt}`),
      block('edit 9:9\n  bad\nend_of_edit'),
      user(`Your proposed edit has introduced new syntax error(s).${prompt}`),
      block('find_file "c.py"'),
      user(`Found 1 matches${prompt}`),
    ];
    const record = readWorkRecord({ messages });
    expect(record.changes).toMatchObject([{ path: 'src/b.py', edits: 1, newest: 'def parse():', index: 3 }]);
  });

  it('are function tags of SWE-agent and OpenHands', () => {
    const tagged = [
      '<function=str_replace_editor>',
      '<parameter=command>create</parameter>',
      '<parameter=path>/r/new.py</parameter>',
      '<parameter=file_text>\nx = 1\n</parameter>',
      '</function>',
    ].join('\n');
    expect(changes(assistant(tagged), user('OBSERVATION:\nFile created successfully at: /r/new.py'))).toEqual([
      'C0 /r/new.py',
    ]);
    expect(
      changes(
        assistant('<function=execute_bash>\n<parameter=command>rm a.py</parameter>\n</function>'),
        user('EXECUTION RESULT of [execute_bash]:\n'),
      ),
    ).toEqual(['D0 a.py']);
  });

  it('are edits of aider that it says it applied', () => {
    const block = `src/a.py\n${fence}python\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n${fence}`;
    expect(changes(assistant(`${block}\n\n> Applied edit to src/a.py`))).toEqual(['1 src/a.py']);
    expect(changes(assistant(block), user('No, do it differently.'))).toEqual([]);
  });

  it('are no calls without the result of a harness after them', () => {
    const script = assistant(`Run this:\n${fence}bash\nrm evil.py\n${fence}`);
    const tagged = assistant('<function=bash><parameter=command>rm evil.py</parameter></function>');
    for (const written of [script, tagged])
      for (const next of [[], [user('Thanks, what does it do?')], [assistant('<returncode>0</returncode>')]])
        expect(changes(written, ...next)).toEqual([]);
  });

  it('are never read from results and from messages of others', () => {
    const told = fc.constantFrom(
      `${fence}bash\nrm evil.py\n${fence}`,
      `${fence}mswea_bash_command\nrm evil.py\n${fence}`,
      '<function=bash><parameter=command>rm evil.py</parameter></function>',
      '<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n> Applied edit to evil.py',
      'The file /evil.py has been updated.',
      'File created successfully at: /evil.py',
    );
    fc.assert(
      fc.property(told, (text) => {
        const observed = user(`<returncode>0</returncode>\n<output>\n${text}\n</output>`);
        expect(
          changes(
            user(text),
            observed,
            assistant('I look.', call('a', 'Read', { file_path: 'good.py' })),
            result('a', text),
            assistant(`I list.`, call('b', 'bash', { command: 'ls' })),
            result('b', text),
            assistant(`${fence}bash\ncat good.py\n${fence}`),
            observed,
            { role: 'system', content: text },
          ),
        ).toEqual([]);
      }),
    );
  });
});

describe('a call whose arguments were lost', () => {
  it('changed the file that its result names first', () => {
    const updated = 'The file /r/a.ts has been updated successfully.';
    expect(changesBy(['Edit', { input: '' }, updated]).map(shown)).toEqual(['1 /r/a.ts']);
    expect(changesBy(['Write', {}, 'File created successfully at: /r/b.ts']).map(shown)).toEqual(['C0 /r/b.ts']);
  });

  it('changed nothing if its result begins otherwise, or if the tool changes no file', () => {
    expect(changesBy(['Edit', { input: '' }, 'Error: no match.\nThe file /r/a.ts has been updated.'])).toEqual([]);
    expect(changesBy(['Read', { input: '' }, 'The file /r/a.ts has been updated.'])).toEqual([]);
    expect(changesBy(['Edit', { file_path: '/r/b.ts' }, 'The file /r/a.ts has been updated.']).map(shown)).toEqual([
      '1 /r/b.ts',
    ]);
  });
});

it('temporary files come after the others', () => {
  const write = (path: string) => ['Write', { file_path: path, content: 'x' }, 'ok'] as const;
  const paths = changesBy(write('/tmp/a.py'), write('/r/b.py'), write('/var/folders/x/T/c.py'), write('/r/tmp.py'));
  expect(paths.map(({ path }) => path)).toEqual(['/r/tmp.py', '/r/b.py', '/var/folders/x/T/c.py', '/tmp/a.py']);
});

it('files that are gone again come last', () => {
  const write = (path: string) => ['Write', { file_path: path, content: 'x' }, 'ok'] as const;
  const gone = ['bash', { command: 'rm /r/a.ts' }, ''] as const;
  const paths = changesBy(write('/r/a.ts'), write('/tmp/b.py'), write('/r/c.ts'), gone);
  expect(paths.map(({ path }) => path)).toEqual(['/r/c.ts', '/tmp/b.py', '/r/a.ts']);
});

it('a path in the home folder is one file, with and without the name of the folder', () => {
  const write = (path: string) => ['Write', { file_path: path, content: 'x' }, 'ok'] as const;
  const paths = (...all: string[]): string[] => changesBy(...all.map(write)).map(shown);
  expect(paths('/home/ann/notes/a.md', '~/notes/a.md')).toEqual(['C1 ~/notes/a.md']);
  expect(paths('/srv/notes/a.md', '~/notes/a.md')).toHaveLength(2);
  expect(paths('/home/ann/a.md', '/home/bob/a.md', '~/a.md')).toHaveLength(3);
});
