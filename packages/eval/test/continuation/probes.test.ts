import type { Message } from '@palimpsest/core';
import { describe, expect, it } from 'vitest';
import { filesChanged, pathsChanged, shellChanges } from '../../src/continuation/changed-files.ts';
import { recentCommands } from '../../src/continuation/commands.ts';
import { conclusionsOf } from '../../src/continuation/conclusions.ts';
import { openTodos } from '../../src/continuation/open-todos.ts';
import { countKept, probeNames, probesOf } from '../../src/continuation/probes.ts';
import { userLog } from '../../src/continuation/user-log.ts';
import { verdictsOf } from '../../src/continuation/verdicts.ts';

let calls = 0;
/** A tool call with its result. */
function exchange(name: string, input: unknown, result = 'Done.'): Message[] {
  const id = `call_${++calls}`;
  return [
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify(input) } }],
    },
    { role: 'tool', tool_call_id: id, content: result },
  ];
}
const user = (content: string): Message => ({ role: 'user', content });
const agent = (content: string): Message => ({ role: 'assistant', content });

const session: readonly Message[] = [
  user('Rename the parser module and keep the tests green, please.'),
  ...exchange('Read', { file_path: '/repo/src/lexer.ts' }, 'export const lexer = 1;'),
  ...exchange('Edit', { file_path: '/repo/src/parser.ts', old_string: 'a', new_string: 'b' }),
  ...exchange(
    'Bash',
    { command: 'git mv src/old-name.ts src/new-name.ts && npm test' },
    ' Tests  2 failed | 10 passed (12)\n × parses empty input 4ms',
  ),
  ...exchange('TodoWrite', {
    todos: [
      { content: 'Rename the module', status: 'completed' },
      { content: 'Update the documentation', status: 'pending' },
    ],
  }),
  agent('## Summary\n\nI renamed the **parser** module to new-name.ts. Two tests fail because of snapshots.'),
  user('yes'),
];

describe('files changed', () => {
  it('are read from tools and shell commands, without failed calls and temporary files', () => {
    const paths = pathsChanged([
      ...exchange('write', { path: 'src/a.ts', content: '' }),
      ...exchange(
        'Edit',
        { file_path: '/repo/src/b.ts' },
        '<tool_use_error>String to replace not found</tool_use_error>',
      ),
      ...exchange('str_replace_editor', { command: 'view', path: '/repo/src/c.ts' }),
      ...exchange('mcp__serena__replace_symbol_body', { relative_path: 'src/d.ts', body: '' }),
      ...exchange('bash', { command: 'cat > /tmp/out.txt; echo x > ./src/e.ts' }),
      ...exchange('apply_patch', { input: '*** Begin Patch\n*** Delete File: src/f.ts\n*** End Patch' }),
      ...exchange('Edit', { input: '' }, 'The file /repo/src/g.ts has been updated.'),
    ]);
    expect(paths).toEqual(['src/a.ts', 'src/d.ts', 'src/e.ts', 'src/f.ts', '/repo/src/g.ts']);
  });

  it.each([
    ["cat > src/a.ts <<'EOF'\nrm src/not-this.ts\nEOF\nls", ['src/a.ts']],
    ['echo x >> notes.md 2>&1 | tee -a out/b.md', ['notes.md', 'out/b.md']],
    ["sed -i '' 's/a > b/c/' src/a.ts src/b.ts", ['src/a.ts', 'src/b.ts']],
    ['cd /repo && git mv src/a.ts lib/ && mv x.ts y.ts', ['/repo/lib/a.ts', '/repo/y.ts']],
    ['rm -rf build src/a.ts; cp a.json conf/b.json', ['src/a.ts', 'conf/b.json']],
    ['grep -n "a > b" src/a.ts | sort', []],
    ['cat /home/<USER_ID>/src/a.ts | head; cat <in.txt >out.txt', ['out.txt']],
  ])('%s', (script, paths) => {
    expect(shellChanges(script)).toEqual(paths);
  });

  it('are told by a kept call, a line that says so, a heading, or a folder with its files', () => {
    const files = filesChanged(session);
    expect(files.map(({ ending }) => ending)).toEqual(['src/parser.ts', 'src/new-name.ts']);
    const told = (text: string): number => countKept(probesOf(session), [user(text)]).files;
    expect(told('- src/parser.ts (edited 2 times)')).toBe(1);
    expect(told('## Files changed\n- src/parser.ts\n- src/new-name.ts')).toBe(2);
    expect(told('- edited: src/: parser.ts, new-name.ts')).toBe(2);
    expect(countKept(probesOf(session), session.slice(3, 5)).files).toBe(1);
  });

  it('are not told by a bare list, by other paths, or by a line that denies it', () => {
    const told = (text: string): number => countKept(probesOf(session), [user(text)]).files;
    expect(told('src/parser.ts src/new-name.ts')).toBe(0);
    expect(told('## Relevant files\n- src/parser.ts (read 3 times)')).toBe(0);
    expect(told('edited lib/parser.ts and src/parser.tsx and src/parser.ts.bak')).toBe(0);
    expect(told('src/parser.ts was not changed')).toBe(0);
    expect(told(`edited ${'other things '.repeat(20)} src/parser.ts`)).toBe(0);
  });

  it('with the same name in two packages need a longer path', () => {
    const both = [
      ...exchange('Edit', { file_path: '/repo/a/src/index.ts' }),
      ...exchange('Edit', { file_path: '/repo/b/src/index.ts' }),
    ];
    expect(filesChanged(both).map(({ ending }) => ending)).toEqual(['a/src/index.ts', 'b/src/index.ts']);
  });
});

describe('the user log', () => {
  it('has the beginnings of what people wrote, not what a harness inserted', () => {
    expect(
      userLog([
        ...session,
        user('<system-reminder>Use the todo tool.</system-reminder>'),
        user(`a ${'long '.repeat(40)}`),
      ]),
    ).toEqual([
      'Rename the parser module and keep the tests green, please.',
      'yes',
      `a ${'long '.repeat(40)}`.slice(0, 80).trim(),
    ]);
  });

  it('is told word for word; a short message must stand alone', () => {
    const told = (text: string): number => countKept(probesOf(session), [user(text)]).userLog;
    expect(told('1. "Rename the parser module and\n   keep the tests green, please."\n2. yes (done)')).toBe(2);
    expect(told('3. yes\n  Agent: I did.')).toBe(1);
    expect(told('The user wants the parser renamed. All eyes on yesterday.')).toBe(0);
  });
});

describe('last verdicts', () => {
  it('are the last ones of each family, with the names of failed tests', () => {
    const later = exchange('Bash', { command: 'npm test' }, ' Tests  12 passed (12)');
    expect(verdictsOf(session)).toEqual([
      { family: 'npm test', lines: ['Tests 2 failed | 10 passed (12)'], failing: ['parses empty input'] },
    ]);
    expect(verdictsOf([...session, ...later])[0]).toMatchObject({ lines: ['Tests 12 passed (12)'], failing: [] });
  });

  it.each([
    ['cargo test -p a', 'test result: ok. 5 passed; 0 failed; 0 ignored', 'cargo test'],
    ['cd x && go test ./...', 'ok  \texample.com/a\t0.12s', 'go test'],
    ['python -m pytest -q', '=== 3 failed, 2 passed in 0.12s ===', 'pytest'],
    ['git push origin main 2>&1', '   abc1234..def5678  main -> main', 'git push'],
    ['npx tsc --noEmit', 'src/a.ts(1,2): error TS2322: no', 'tsc'],
    ['docker build .', 'Successfully built 0123abc', 'docker build'],
  ])('%s', (command, result, family) => {
    expect(verdictsOf(exchange('Bash', { command }, result))).toMatchObject([{ family }]);
    expect(verdictsOf(exchange('Bash', { command: `echo "${command}"` }, result))).toEqual([]);
  });

  it('count as told by their whole line, or by the name of a failing test', () => {
    const told = (text: string): number => countKept(probesOf(session), [user(text)]).verdicts;
    expect(told('npm test: Tests  2 failed | 10 passed (12)')).toBe(1);
    expect(told('failing: parses empty input')).toBe(1);
    expect(told('Two tests failed, 10 passed')).toBe(0);
    expect(told("it('parses empty input', () => {})")).toBe(0);
  });

  it('that are short must stand near their command', () => {
    const lint = exchange('Bash', { command: 'golangci-lint run' }, '0 issues.');
    const told = (text: string): number => countKept(probesOf(lint), [user(text)]).verdicts;
    expect(told('- golangci-lint run: 0 issues.')).toBe(1);
    expect(told('The tracker has 0 issues.')).toBe(0);
  });
});

describe('conclusions', () => {
  it('are the first sentences at the ends of turns', () => {
    expect(conclusionsOf([...session, ...exchange('Read', { path: 'a' })])).toEqual([
      'I renamed the parser module to new-name.ts.',
    ]);
    expect(conclusionsOf([user('Go on with it.'), agent('Done. It works again.\nMore text.')])).toEqual([
      'Done. It works again.',
    ]);
  });

  it('are told word for word', () => {
    const told = (text: string): number => countKept(probesOf(session), [user(text)]).conclusions;
    expect(told('- I renamed the `parser` module to new-name.ts.')).toBe(1);
    expect(told('- The parser module was renamed.')).toBe(0);
  });
});

describe('open todos', () => {
  it('are the unfinished items of the last list', () => {
    expect(openTodos(session)).toEqual(['Update the documentation']);
    const tasks = [
      ...exchange('TaskCreate', { subject: 'Write tests' }, 'Task #1 created'),
      ...exchange('TaskCreate', { subject: 'Push' }, 'Task #2 created'),
      ...exchange('TaskUpdate', { taskId: '1', status: 'completed' }),
    ];
    expect(openTodos(tasks)).toEqual(['Push']);
  });

  it('are not told as done', () => {
    const told = (text: string): number => countKept(probesOf(session), [user(text)]).todos;
    expect(told('- [ ] Update the documentation')).toBe(1);
    expect(told('- [x] Update the documentation')).toBe(0);
  });
});

describe('recent commands', () => {
  const run = (...commands: string[]): Message[] => commands.flatMap((command) => exchange('Bash', { command }));

  it('are the newest ones that did more than look something up', () => {
    const commands = run(
      'npm ci',
      'cat package.json | grep name 2>/dev/null',
      "cd /repo && sed -n '1,20p' src/a.ts",
      'cd /repo && npm test 2>&1 | tail -5',
      "cat > src/a.ts <<'EOF'\nrm src/not-this.ts\nEOF",
      'git status && git push origin main',
      'make',
      'cd /repo && npm test -- --run',
    );
    expect(recentCommands(commands)).toEqual([
      'npm test -- --run',
      'git push origin main',
      "cat > src/a.ts <<'EOF'",
      'npm test 2>&1',
    ]);
    expect(recentCommands(run(...Array.from({ length: 30 }, (_, at) => `node task-${at}.mjs`)))).toHaveLength(20);
  });

  it('are told word for word, in a call or in a line', () => {
    const told = (...output: Message[]): number => countKept(probesOf(session), output).commands;
    expect(told(user('1. `git mv src/old-name.ts src/new-name.ts` (passed)'))).toBe(1);
    expect(told(...session.slice(5, 7))).toBe(1);
    expect(told(user('The parser was renamed with git mv.'))).toBe(0);
  });
});

describe('every probe', () => {
  it('is told by the original and not by an empty output', () => {
    const probes = probesOf(session);
    const counts = Object.fromEntries(probeNames.map((probe) => [probe, probes[probe].length]));
    expect(counts).toEqual({ files: 2, userLog: 2, verdicts: 1, conclusions: 1, todos: 1, commands: 1 });
    expect(countKept(probes, session)).toEqual(counts);
    for (const [probe, told] of Object.entries(countKept(probes, []))) expect(told, probe).toBe(0);
  });
});
