import { agentReader, createMessageReader } from '@palimpsest/agents';
import { createHost, type Message } from '@palimpsest/core';
import { Transcript } from '@palimpsest/core/authoring';
import { arbitraryTranscript, assistant, call, quarterCounter, result, user } from '@palimpsest/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readWorkRecord } from '../../src/work-record/read-work-record.ts';
import { userWords } from '../../src/work-record/user-messages/user-words.ts';

const messages: Message[] = [
  { role: 'system', content: 'Reply in plain text.' },
  user('Fix the parser in src/parser.ts. Never touch the public API. Why does it accept "1,,2"?'),
  assistant('It skips empty items. We keep the loop because the grammar allows comments.'),
  user('Then reject them, please.'),
  assistant('Editing it.', call('a', 'edit_file', { path: 'src/parser.ts' })),
  result('a', 'done'),
  assistant('', call('b', 'bash', { command: 'cd packages/parser && npm test' })),
  result('b', 'Error: expected 3 items\nTests: 1 failed, 4 passed'),
  assistant(
    '',
    call('c', 'todo_write', {
      todos: [
        { content: 'Reject empty items', status: 'completed' },
        { content: 'Run the tests', status: 'in_progress' },
        { content: 'Update the docs', status: 'pending' },
      ],
    }),
  ),
  result('c', 'ok'),
  assistant('One test still fails.\nI will read it now.', call('d', 'read_file', { path: 'test/parser.test.ts' })),
];

describe('a work record', () => {
  const record = readWorkRecord({ messages });

  it('has the requests and rules of the user, with the indices of their messages', () => {
    expect(record.said.map(({ index }) => index)).toEqual([1, 3]);
    expect(record.openTasks.map(({ index }) => index)).toEqual([3]);
    expect(record.rules.filter(({ certain }) => certain)).toEqual([
      { index: 1, text: 'Never touch the public API.', certain: true },
    ]);
    expect(record.instructions).toEqual([{ index: 0, text: 'Reply in plain text.' }]);
  });

  it('has the changed files', () => {
    expect(record.changes).toMatchObject([{ path: 'src/parser.ts', index: 4 }]);
  });

  it('has the state of the work: task list, directory, pending calls', () => {
    expect(record.todo).toEqual({
      index: 8,
      items: [
        { text: 'Reject empty items', status: 'done' },
        { text: 'Run the tests', status: 'in progress' },
        { text: 'Update the docs', status: 'open' },
      ],
      inProgress: ['Run the tests'],
      pending: ['Update the docs'],
    });
    expect(record.state).toEqual({
      directory: { index: 6, text: 'packages/parser' },
      branch: null,
    });
    expect(record.pendingCalls).toEqual([{ index: 10, text: 'read_file test/parser.test.ts' }]);
  });

  it('lets the caller state which messages a person typed', () => {
    expect(readWorkRecord({ messages, fromPerson: [1], carried: [1] }).said).toMatchObject([
      { index: 1, carried: true },
    ]);
    expect(readWorkRecord({ messages, fromPerson: [] })).toMatchObject({ said: [], rules: [], openTasks: [] });
    const reader = createMessageReader([{ name: 'mine', openings: [/Heartbeat/] }]);
    const beats: Message[] = [{ role: 'user', content: 'Heartbeat 1' }];
    expect(readWorkRecord({ messages: beats }).said).toHaveLength(1);
    expect(readWorkRecord({ messages: beats, reader }).said).toEqual([]);
  });

  it('is empty for no messages', () => {
    expect(readWorkRecord({ messages: [] })).toMatchObject({
      said: [],
      changes: [],
      todo: { index: -1 },
      state: { directory: null, branch: null },
    });
  });

  it('is the same each time, and refers only to messages that exist', () => {
    fc.assert(
      fc.property(arbitraryTranscript({ maxLength: 40 }), (transcript) => {
        const first = readWorkRecord({ messages: transcript });
        expect(readWorkRecord({ messages: transcript })).toEqual(first);
        const { said, rules, instructions, answers, pendingCalls, changes } = first;
        for (const { index } of [said, rules, instructions, answers, changes, pendingCalls].flat())
          expect(transcript[index]).toBeDefined();
      }),
      { numRuns: 100 },
    );
  });
});

it.each([
  ['git checkout -b feature/a', '', 'feature/a'],
  ['git status', 'On branch main', 'main'],
  ['git commit -m "Fix"', '[fix/b 1a2b3c4] Fix', 'fix/b'],
  ['cat CONTRIBUTING.md', 'On branch feature/x\ngit checkout -b feature/y\n[main 1234567] Add it', undefined],
  ['git log', 'Run git checkout -b feature/your-name first.', undefined],
  ['git log', '    On branch main we keep releases.', undefined],
  ['echo "git checkout -b feature/<name>" > notes.md', '', undefined],
  ['cd repo && git checkout -b fix/a', '', 'fix/a'],
  ["git -C repo switch -c 'fix/b'", "Switched to a new branch 'fix/b'", 'fix/b'],
  ['git push; git branch --show-current 2>&1', 'main', 'main'],
  ['git rev-parse --abbrev-ref HEAD', 'HEAD', undefined],
  ['git branch --show-current | cat', 'main', undefined],
  ['cat notes.md', 'main', undefined],
])('the branch is what git said last: %s', (command, output, branch) => {
  const messages = [user('Go.'), assistant('', call('a', 'bash', { command })), result('a', output)];
  expect(readWorkRecord({ messages }).state.branch?.text).toBe(branch);
});

describe('the words of the user', () => {
  it('are masked, and mark the current task', () => {
    const secret = ['hunter', 2].join('');
    const host = createHost({
      tokens: quarterCounter,
      redact: (text) => text.replaceAll(secret, '[REDACTED]'),
      reader: agentReader,
    });
    const transcript = Transcript.of(
      [user(`Log in with ${secret}.`), assistant('Done.'), user('Thanks!')],
      quarterCounter,
    );
    expect(userWords(transcript, host)).toEqual([
      { index: 0, text: 'Log in with [REDACTED].', carried: false },
      { index: 2, text: 'Thanks!', carried: true },
    ]);
  });
});
