import type { Message } from '@palimpsest/core';
import { assistant, call, callsWithResults, quarterCounter, result, user } from '@palimpsest/testkit';
import { describe, expect, it } from 'vitest';
import { type PrunePolicy, prune, supersede } from '../src/index.ts';
import { lines } from './stub-line.ts';

const everything: PrunePolicy = {
  protect: { tokens: 0 },
  keepTurns: 0,
  minimum: 0,
  strategies: [supersede],
  tokens: quarterCounter,
};
const numbered = (from: number, to: number): string =>
  lines(to - from + 1, (number) => `${String(from + number - 1).padStart(6)}\u2192const value = ${number};`);
const file = '/repo/src/a.ts';

/** The results of these exchanges, in order, after `supersede`. */
function results(...parts: readonly Message[][]): string[] {
  const messages = [user('Go on.'), ...parts.flat(), assistant('Done.')];
  return prune(messages, everything)
    .messages.filter((message) => message.role === 'tool')
    .map((message) => message.content as string);
}
const read = (id: string, input: Record<string, unknown>, output: string): Message[] =>
  callsWithResults([call(id, 'Read', { file_path: file, ...input }), output]);

describe('a read of a file', () => {
  it('is superseded by a later read of the same range', () => {
    const [first, second] = results(
      read('1', { offset: 1, limit: 20 }, numbered(1, 20)),
      read('2', { offset: 1, limit: 20 }, `${numbered(1, 20)} // changed`),
    );
    expect(first).toMatch(/; read again later$/);
    expect(second).toBe(`${numbered(1, 20)} // changed`);
  });
  it('is superseded by a later read that shows all of its lines', () => {
    expect(results(read('1', { offset: 5, limit: 15 }, numbered(5, 19)), read('2', {}, numbered(1, 80)))[0]).toMatch(
      /; read again later$/,
    );
  });
  it('is not superseded by a later read that shows only some of its lines', () => {
    expect(results(read('1', {}, numbered(1, 80)), read('2', { offset: 5, limit: 15 }, numbered(5, 19)))[0]).toBe(
      numbered(1, 80),
    );
  });
  it.each([
    [
      { startLine: 1, endLine: 20 },
      { startLine: 61, endLine: 80 },
    ],
    [{ start_line_one_indexed: 1 }, { start_line_one_indexed: 61 }],
    [{ page: 1 }, { page: 2 }],
    [{ ref: 'main' }, { ref: 'v2' }],
  ])('is not superseded by a read of another part, whatever the arguments are called: %o', (one, other) => {
    const text = (from: number): string => lines(20, (line) => `const value_${from + line} = ${line};`);
    expect(results(read('1', one, text(1)), read('2', other, text(61)))[0]).toBe(text(1));
    const again = { ...one, explanation: 'Look at it again.' };
    expect(results(read('1', one, text(1)), read('2', again, text(1)))[0]).toMatch(/; read again later$/);
  });
  it('is not superseded by a read that failed', () => {
    const missing = `<tool_use_error>File does not exist. ${'Look elsewhere. '.repeat(20)}</tool_use_error>`;
    expect(results(read('1', {}, numbered(1, 80)), read('2', {}, missing))[0]).toBe(numbered(1, 80));
  });
  it('is not superseded by a stub', () => {
    expect(results(read('1', {}, numbered(1, 80)), read('2', {}, '[Read] read /repo/src/a.ts (3,000 chars)'))[0]).toBe(
      numbered(1, 80),
    );
  });
  it('is superseded when the whole file was written later', () => {
    const write = callsWithResults([
      call('2', 'Write', { file_path: file, content: 'new' }),
      `File created successfully at: ${file}`,
    ]);
    expect(results(read('1', {}, numbered(1, 80)), write)[0]).toMatch(/; the file was overwritten later$/);
  });
  it('is not superseded by an edit of a part, a refused write, or an append', () => {
    const edit = callsWithResults([
      call('2', 'Edit', { file_path: file, old_string: 'a', new_string: 'b' }),
      'The file has been updated.',
    ]);
    const refused = callsWithResults([
      call('3', 'Write', { file_path: file, content: 'new' }),
      '<tool_use_error>File has not been read yet.</tool_use_error>',
    ]);
    const append = callsWithResults([
      call('4', 'write_file', { path: file, content: 'new', append: true }),
      'Successfully wrote 3 bytes',
    ]);
    expect(results(read('1', {}, numbered(1, 80)), edit, refused, append)[0]).toBe(numbered(1, 80));
  });
  it('stays if its path is relative, because that may mean two files', () => {
    const relative = (id: string): Message[] =>
      callsWithResults([call(id, 'Read', { file_path: 'src/a.ts' }), numbered(1, 80)]);
    expect(results(relative('1'), relative('2'))[0]).toBe(numbered(1, 80));
  });
  it('stays if another server was asked, because that may mean another disk', () => {
    const on = (id: string, server: string): Message[] =>
      callsWithResults([call(id, `mcp__${server}__read_file`, { path: file }), numbered(1, 80)]);
    expect(results(on('1', 'laptop'), on('2', 'cluster'))[0]).toBe(numbered(1, 80));
  });
});

describe('a failed command', () => {
  const run = (id: string, output: string, command = 'npm test'): Message[] =>
    callsWithResults([call(id, 'Bash', { command }), output]);
  const failure = `Exit code 1\n${lines(30)}`;
  it('is superseded by the same command without a failure', () => {
    expect(results(run('1', failure), run('2', lines(30)))[0]).toMatch(
      /^\[Bash\] ran `npm test` -> exit 1, .*; the same command ran again later$/,
    );
  });
  it('is reported as succeeded later only if the later result states exit code 0', () => {
    const shell = (id: string, code: number): Message[] =>
      callsWithResults([
        call(id, 'terminal', { command: 'make' }),
        JSON.stringify({ output: lines(30), exit_code: code }),
      ]);
    expect(results(shell('1', 2), shell('2', 0))[0]).toMatch(/; the same command succeeded later$/);
  });
  it('stays if only another command ran later, or the same one failed again', () => {
    expect(results(run('1', failure), run('2', lines(30), 'npm run lint'), run('3', failure))[0]).toBe(failure);
  });
  it('stays if the later run is only a stub that hides how it ended', () => {
    expect(results(run('1', failure), run('2', '[Bash] ran `npm test` -> exit 1, 30 lines output'))[0]).toBe(failure);
  });
});

it('an older browser snapshot is superseded by a newer one; a page read as text is not', () => {
  const look = (id: string, tool: string): Message[] =>
    callsWithResults([call(id, `mcp__playwright__${tool}`, {}), `${id} ${lines(30)}`]);
  const [old, , page] = results(
    look('1', 'browser_snapshot'),
    look('2', 'browser_snapshot'),
    look('3', 'browser_get_markdown'),
    look('4', 'browser_get_markdown'),
  );
  expect(old).toMatch(/; a newer one was taken later$/);
  expect(page).toBe(`3 ${lines(30)}`);
});

it('results that are pending or protected count as evidence against older ones', () => {
  const messages = [
    user('Go on.'),
    ...read('1', {}, numbered(1, 80)),
    assistant(null, call('2', 'Read', { file_path: file })),
    result('2', `${numbered(1, 80)}!`),
  ];
  const pruned = prune(messages, everything);
  expect(pruned.messages[2]!.content).toMatch(/; read again later$/);
  expect(pruned.messages[4]).toBe(messages[4]);
});
