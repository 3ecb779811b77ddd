import type { Message } from '@palimpsest/core';
import { assistant, call, result, user } from '@palimpsest/testkit';
import { expect, it } from 'vitest';
import { bodyOf, write } from './writing.ts';

const words = ['all', 'clean', 'tests', 'docs', 'lint', 'types', 'format', 'install'];

/** Long work on one request, in which files with many rare names are read between commands. */
const messages: Message[] = [
  user('Make the importer pass its tests.'),
  ...Array.from({ length: 40 }, (_, at): Message[] => [
    assistant(null, call(`r${at}`, 'read_file', { path: `src/module_${at}.ts` })),
    result(
      `r${at}`,
      Array.from({ length: 40 }, (_, line) => `export const name_${at}_${line} = load_${at}();`).join('\n'),
    ),
    assistant(
      `Because load_${at}() returns name_${at}_1, name_${at}_2 and name_${at}_3, module_${at}.ts has to call save_${at}().`,
      call(`c${at}`, 'bash', { command: `make ${words[at % 8]} ${words[(at >> 3) % 8]}` }),
    ),
    result(`c${at}`, 'done'),
  ]).flat(),
  assistant('The importer passes.'),
  user('Now write the docs.'),
];

it('lists the newest commands, however much text would be worth quoting', async () => {
  const body = await bodyOf(write(messages, { budgetTokens: 3_000 }));
  for (const at of [39, 38, 37, 36])
    expect(body).toMatch(new RegExp(`^${2 * at + 2}\\. make ${words[at % 8]} ${words[at >> 3]} `, 'm'));
  expect(body).toMatch(/^- \d+ other tool calls left out/m);
  expect(body).toContain('name_');
});

it('lists a command that was repeated once, and a commit with its subject', async () => {
  const run = (id: string, command: string, description: string): Message[] => [
    assistant(null, call(id, 'Bash', { command, description })),
    result(id, 'done'),
  ];
  const body = await bodyOf(
    write(
      [
        ...messages.slice(0, -2),
        ...run('b1', 'make build 2>&1 | tail -3', 'Build it'),
        ...run('b2', 'make build 2>&1 | grep -A2 error | head', 'Look at the error'),
        ...run(
          'g',
          'git add -A && git commit -m "$(cat <<\'EOF\'\nImport empty files\n\nThey were refused.\nEOF\n)"',
          'Commit',
        ),
        ...messages.slice(-2),
      ],
      { budgetTokens: 1_200 },
    ),
  );
  const actions = body.split('## Completed Actions\n')[1]!.split('\n## ')[0]!;
  expect(actions).not.toContain('tail -3');
  expect(actions).toMatch(/^\d+\. make build 2>&1 \| grep -A2 error \| head\b/m);
  expect(actions).toMatch(/^\d+\. git add -A && git commit -m "\$\(cat <<'EOF' Import empty files\b/m);
  expect(body).not.toContain('Look at the error');
});

it('lists the tasks that were delegated, and what other tools did, but no changes of the task list', async () => {
  const tasks = [
    'Scan the network for open ports',
    'Find the owners of the open ports',
    'Write a report for the owners',
  ];
  const delegated = tasks.flatMap((step, at): Message[] => [
    assistant(
      null,
      call(`d${at}`, 'perform_task', { tactic: 'Discovery', step: `${step} today.`, context: 'a\nb' }),
      call(`t${at}`, 'write_todos', { todos: [{ content: step, status: 'pending' }] }),
      call(`m${at}`, 'mcp__mail__send_mail', { to: `owner-${at}@example.com` }),
    ),
    result(`t${at}`, 'ok'),
    result(`m${at}`, 'ok'),
    result(`d${at}`, `Task ${at} is done.\n${'It took a while. '.repeat(40)}`),
  ]);
  const body = await bodyOf(
    write([...messages.slice(0, -2), ...delegated, ...messages.slice(-2)], { budgetTokens: 3_000 }),
  );
  expect(body).not.toContain('[tool: write_todos]');
  expect(body).toContain('(to: owner-2@example.com) - ok [tool: mcp__mail__send_mail]');
  for (const task of tasks) expect(body).toMatch(new RegExp(`^\\d+\\. ${task} today\\. \\(tactic: Discovery\\)`, 'm'));
});
