import { contentText, type Message } from '@palimpsest/core';
import { parseRecord } from '@palimpsest/core/authoring';
import { itemText, statusOf, type TodoItem, type TodoStatus } from './todo-item.ts';

/** A call that adds or changes one task. */
export interface TaskCall {
  /** The tool's id of the task; `null` if the call added the task and its result states no id. */
  readonly id: string | null;
  readonly isNew: boolean;
  /** The new text; `null` if unchanged. */
  readonly text: string | null;
  /** The new status; `undefined` if unchanged; `null` if the task was deleted. */
  readonly status: TodoStatus | null | undefined;
}

/** True for `TaskCreate` and `TaskUpdate`, by their own names in snake case. */
export function isTaskTool(tool: string): boolean {
  return tool === 'task_create' || tool === 'task_update';
}

/** Reads `TaskCreate` and `TaskUpdate` of Claude Code, and tools of the same names. `null` for other calls. */
export function taskCall(tool: string, input: string, result: Message | undefined): TaskCall | null {
  if (!isTaskTool(tool)) return null;
  const given = parseRecord(input);
  if (!given) return null;
  const text = [given.subject, given.title, given.content].find((value) => typeof value === 'string');
  const isNew = tool === 'task_create';
  if (isNew && typeof text !== 'string') return null;
  const named = isNew
    ? /#(\w{1,40})\b/.exec(contentText(result?.content).slice(0, 200))?.[1]
    : (given.taskId ?? given.id);
  return {
    id: typeof named === 'string' || typeof named === 'number' ? String(named) : null,
    isNew,
    text: typeof text === 'string' ? itemText(text) : null,
    status: given.status === undefined ? (isNew ? 'open' : undefined) : statusOf(given.status),
  };
}

/** Applies calls to a list, in order. New tasks without an id are numbered from 1, as in Claude Code. */
export function applyTaskCalls(list: readonly TodoItem[], calls: readonly TaskCall[]): readonly TodoItem[] {
  if (calls.length === 0) return list;
  const items = new Map<string, TodoItem>(list.map((item, at) => [item.id ?? String(at + 1), item]));
  let added = 0;
  for (const { id, isNew, text, status } of calls) {
    if (isNew) added++;
    const key = id ?? (isNew ? String(added) : '');
    const known = items.get(key);
    if (!known && !isNew) continue;
    if (status === null) items.delete(key);
    else items.set(key, { text: text ?? known!.text, status: status ?? known?.status ?? 'open' });
  }
  return [...items.values()];
}
