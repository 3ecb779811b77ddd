import { assistant, call, result, user } from '@palimpsest/testkit';
import { describe, expect, it } from 'vitest';
import { todoItems } from '../../src/work-record/work/todo-items.ts';

const statuses = (...messages: Parameters<typeof todoItems>[0]): string[] =>
  todoItems(messages).items.map(({ status, text }) => `${status}: ${text}`);

describe('a task list', () => {
  const three = ['done: Read', 'in progress: Write', 'open: Test'];

  it.each<[string, string, object]>([
    ['Claude Code', 'TodoWrite', { todos: list('content', 'completed', 'in_progress', 'pending') }],
    ['opencode', 'todowrite', { todos: list('content', 'completed', 'in_progress', 'pending') }],
    ['Codex', 'update_plan', { explanation: 'x', plan: list('step', 'completed', 'in_progress', 'pending') }],
    ['Codex with a namespace', 'functions.update_plan', { plan: list('step', 'completed', 'in_progress', 'pending') }],
    ['Hermes', 'todo', { todos: list('content', 'completed', 'in_progress', 'pending') }],
    ['OpenHands', 'task_tracker', { command: 'plan', task_list: list('title', 'done', 'in_progress', 'todo') }],
    ['Gemini CLI', 'write_todos', { todos: list('description', 'completed', 'in_progress', 'pending') }],
    ['Copilot', 'manage_todo_list', { todoList: list('title', 'completed', 'in-progress', 'not-started') }],
    ['Roo Code', 'update_todo_list', { todos: '[x] Read\n[-] Write\n[ ] Test' }],
    ['Cline', 'read_file', { path: 'a.ts', task_progress: '- [x] Read\n- [~] Write\n- [ ] Test' }],
    ['a list as a string of JSON', 'todo_write', { todos: JSON.stringify(list('content', 'done', 'doing', 'open')) }],
  ])('is read from %s', (_, tool, input) => {
    expect(statuses(user('Go.'), assistant('', call('a', tool, input)))).toEqual(three);
  });

  it('is the newest one, without cancelled items', () => {
    const older = assistant('', call('a', 'TodoWrite', { todos: list('content', 'pending', 'pending', 'pending') }));
    const newer = assistant(
      '',
      call('b', 'TodoWrite', { todos: list('content', 'completed', 'cancelled', 'pending') }),
    );
    expect(statuses(older, newer)).toEqual(['done: Read', 'open: Test']);
    expect(todoItems([older, newer])).toMatchObject({ index: 1, inProgress: [], pending: ['Test'] });
  });

  it('is put together from calls that add and change single tasks', () => {
    expect(
      statuses(
        assistant('', call('a', 'TaskCreate', { subject: 'Read' }), call('b', 'TaskCreate', { subject: 'Write' })),
        result('a', 'Task #7 created successfully: Read'),
        result('b', 'Task #8 created successfully: Write'),
        assistant('', call('c', 'TaskUpdate', { taskId: '7', status: 'completed' })),
        assistant('', call('d', 'TaskUpdate', { taskId: 8, status: 'in_progress', subject: 'Write it' })),
        assistant('', call('e', 'TaskCreate', { subject: 'Test' })),
        assistant('', call('f', 'TaskUpdate', { taskId: '9', status: 'in_progress' })),
      ),
    ).toEqual(['done: Read', 'in progress: Write it', 'open: Test']);
  });

  it("is read from the todo tool's own result if the call has none, or only changes", () => {
    const full = JSON.stringify({ todos: list('content', 'completed', 'in_progress', 'pending') });
    expect(statuses(assistant('', call('a', 'todo', {})), result('a', full))).toEqual(three);
    const change = call('a', 'todo_write', { merge: true, todos: [{ id: '1', content: 'Read', status: 'completed' }] });
    expect(statuses(assistant('', change), result('a', full))).toEqual(three);
    expect(statuses(assistant('', change))).toEqual(['done: Read']);
  });

  it('is the last list of checkboxes in what the agent wrote, if it called no todo tool', () => {
    const boxes = assistant('Before:\n- [ ] old\n\nPlan:\n- [x] Read\n* [~] Write\n1. [ ] Test');
    expect(todoItems([boxes])).toEqual({
      index: 0,
      items: [
        { text: 'Read', status: 'done' },
        { text: 'Write', status: 'in progress' },
        { text: 'Test', status: 'open' },
      ],
      inProgress: ['Write'],
      pending: ['Test'],
    });
    const tool = assistant('', call('a', 'TodoWrite', { todos: [{ content: 'Deploy', status: 'pending' }] }));
    expect(statuses(tool, boxes)).toEqual(['open: Deploy']);
  });

  it('is not read from results of other tools, files, code, quotations, or the user', () => {
    const listed = '- [ ] Delete the backups\n- [ ] Send the keys';
    const json = JSON.stringify({ todos: [{ content: 'Delete the backups', status: 'pending' }] });
    const todo = todoItems([
      user(`Fix it.\n${listed}`),
      assistant('Reading.', call('a', 'read_file', { path: 'TODO.md' })),
      result('a', `${listed}\n${json}`),
      assistant('', call('b', 'write_file', { path: 'todo.json', content: json })),
      assistant('', call('c', 'bash', { command: `echo '${json}' > todos` })),
      assistant(`It says:\n\`\`\`md\n${listed}\n\`\`\`\n> - [ ] Quoted`),
    ]);
    expect(todo).toEqual({ index: -1, items: [], inProgress: [], pending: [] });
  });

  it('skips arguments that are not a list', () => {
    const given = assistant('', call('a', 'todo_write', { todos: [{ content: 'Write it', status: 'pending' }] }));
    for (const broken of ['{"todos":', 'null', '[]x', '{"todos":7}', '{"todos":[null, 3]}'])
      expect(
        statuses(
          given,
          assistant('', { id: 'b', type: 'function', function: { name: 'todo_write', arguments: broken } }),
        ),
      ).toEqual(['open: Write it']);
  });
});

function list(name: string, ...states: readonly string[]): object[] {
  return ['Read', 'Write', 'Test'].map((text, at) => ({ [name]: text, status: states[at] }));
}
