import type { Message } from '@palimpsest/core';
import { writeHandoff } from '@palimpsest/core/authoring';
import type { FoundTranscript } from '@palimpsest/eval/inputs/read-transcripts';
import { measureSample } from '@palimpsest/eval/inputs/sample';
import { describe, expect, it } from 'vitest';
import { measureKept, namesIn } from '../../src/measuring/kept.ts';
import { measurePrompt } from '../../src/measuring/measure-prompt.ts';

const user = (content: string): Message => ({ role: 'user', content });
const assistant = (content: string): Message => ({ role: 'assistant', content });
const handoff = writeHandoff('## Goal\nEarlier work on src/early/file.ts.');

describe('the changed files that are kept', () => {
  const edit = (path: string, id: string): Message[] => [
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        { id, type: 'function', function: { name: 'edit_file', arguments: JSON.stringify({ path, new_text: 'x' }) } },
      ],
    },
    { role: 'tool', tool_call_id: id, content: 'The file was changed.' },
  ];
  const paths = ['/work/app/src/store/index.ts', '/work/app/src/page/index.ts', '/work/app/README.md', '/tmp/note.txt'];
  const input = [user('Change them.'), ...paths.flatMap((path, at) => edit(path, `call_${at}`))];

  it('counts those that the output says are changed, and lists the others', () => {
    const files = (output: readonly Message[]) => measureKept(input, output).changedFiles;
    expect(files(input)).toEqual({ kept: 3, of: 3, lost: [] });
    expect(files([user('Nothing.')])).toMatchObject({ kept: 0, of: 3 });
    const partly = [user('Changed: /work/app/src/store/index.ts.'), assistant('Look at page/index.ts')];
    expect(files(partly)).toEqual({ kept: 1, of: 3, lost: ['/work/app/src/page/index.ts', '/work/app/README.md'] });
    expect(measureKept([user('Look.')], []).changedFiles).toEqual({ kept: 0, of: 0, lost: [] });
  });

  it('finds them where they are listed by folder', () => {
    const listed = user(
      '- Changed in /work/app/src/store/: index.ts, other.ts\n- Changed in /work/app/src/page/: none.ts',
    );
    expect(measureKept(input, [listed]).changedFiles.lost).toEqual([
      '/work/app/src/page/index.ts',
      '/work/app/README.md',
    ]);
  });
});

describe('what is kept', () => {
  const input = [
    user('Fix src/app/main.ts please.'),
    assistant('See https://example.org/issue/7.'),
    user('Use commit 3f2a9c1d.'),
  ];

  it('counts user messages that are told word for word, wherever they stand', () => {
    const told = (output: readonly Message[]) => measureKept(input, output).userMessages;
    expect(told(input)).toEqual({ kept: 2, of: 2 });
    expect(told([user(`${handoff}\n\nUse commit 3f2a9c1d.`)])).toEqual({ kept: 1, of: 2 });
    expect(told([user(writeHandoff('1. Fix src/app/main.ts please.\n2. Use commit 3f2a9c1d. (done)'))]).kept).toBe(2);
    expect(told([user(writeHandoff('1. Fix src/app/main.ts …\n2. Use another commit.'))]).kept).toBe(0);
  });

  it('counts exact names that still appear anywhere', () => {
    expect(measureKept(input, input).names).toEqual({ kept: 3, of: 3, lost: [] });
    expect(measureKept(input, [assistant('Worked in `src/app/main.ts:12`, then (3f2a9c1d).')]).names).toEqual({
      kept: 2,
      of: 3,
      lost: ['https://example.org/issue/7'],
    });
  });

  it('reads names in the strings of call arguments, and in linear time', () => {
    const call = (path: string): Message => ({
      role: 'assistant',
      content: null,
      tool_calls: [
        {
          id: 'a',
          type: 'function',
          function: { name: 'edit', arguments: JSON.stringify({ text: `one\n${path}\ntwo` }) },
        },
      ],
    });
    expect(measureKept([call('src/new/file.ts')], [assistant('src/new/file.ts')]).names).toEqual({
      kept: 1,
      of: 1,
      lost: [],
    });
    expect(namesIn(user('A'.repeat(100_000)))).toEqual([]);
    expect(namesIn(user('exit 780574 after 12 ms of run_tests'))).toEqual(['12 ms', 'run_tests']);
  });
});

it('a task is kept if its words are in the prompt, wherever the engine says it put them', () => {
  const messages = [user('Fix the parser.'), assistant('Which one?'), user('The one for dates.')];
  const found = { id: 'a', file: 'a.json', line: 1, layout: 'document', format: 'openai', messages, tools: [] };
  const sample = measureSample(found as object as FoundTranscript);
  const taskKept = (prompt: readonly Message[]) => measurePrompt(sample, prompt, null, 10_000).taskKept;
  expect(taskKept(messages)).toBe(true);
  expect(taskKept([user(`${handoff}\n\nThe one for dates.`)])).toBe(true);
  expect(taskKept(messages.slice(0, 2))).toBe(false);
  expect(taskKept([user('The one for date')])).toBe(false);
});
