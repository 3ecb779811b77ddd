import type { Message } from '@palimpsest/core';
import { collapse, type OutputReading } from './output-reading.ts';
import { readToolCalls } from './tool-calls.ts';

const closed = /^(?:completed?|done|cancell?ed|deleted|skipped)$/i;
const maxTodoLength = 80;

interface Todo {
  readonly content: string;
  readonly status: string;
}

/** Returns the unfinished items of the last todo list, up to 80 characters of each. */
export function openTodos(messages: readonly Message[]): string[] {
  let list: Todo[] = [];
  const tasks = new Map<string, Todo>();
  for (const { tool, input, result } of readToolCalls(messages)) {
    const items = input.todos ?? input.plan ?? input.tasks;
    if (/todo|plan/.test(tool) && Array.isArray(items)) list = items.flatMap(readTodo);
    else if (tool === 'taskcreate' && typeof input.subject === 'string')
      tasks.set(/#(\d+)/.exec(result)?.[1] ?? String(tasks.size + 1), { content: input.subject, status: 'pending' });
    else if (tool === 'taskupdate') {
      const task = tasks.get(String(input.taskId));
      if (task && typeof input.status === 'string') tasks.set(String(input.taskId), { ...task, status: input.status });
    }
  }
  return [...list, ...tasks.values()]
    .filter(({ status }) => !closed.test(status))
    .map(({ content }) => collapse(content).slice(0, maxTodoLength).trim())
    .filter((content) => content !== '');
}

function readTodo(item: unknown): Todo[] {
  if (item === null || typeof item !== 'object') return [];
  const { content, step, title, status, completed } = item as Record<string, unknown>;
  const text = content ?? step ?? title;
  if (typeof text !== 'string') return [];
  return [
    { content: text, status: typeof status === 'string' ? status : completed === true ? 'completed' : 'pending' },
  ];
}

/** Returns the items that an output names. An item that it names only as done (`[x] item`) does not count. */
export const todosIn = (todos: readonly string[], { text }: OutputReading): string[] =>
  todos.filter((todo) => {
    for (let at = text.indexOf(todo); at >= 0; at = text.indexOf(todo, at + 1))
      if (!/\[x\] $/i.test(text.slice(Math.max(0, at - 4), at))) return true;
    return false;
  });
