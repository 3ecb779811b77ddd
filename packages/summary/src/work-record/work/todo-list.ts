import { contentText, type Message } from '@palimpsest/core';
import { isRecord } from '@palimpsest/core/authoring';
import { checkboxItems } from './checkboxes.ts';
import { itemText, statusOf, type TodoItem } from './todo-item.ts';

/** Maximum length of an argument or result with a task list, in characters. */
const maxListLength = 200_000;

/**
 * Names of arguments with a list, in tools of Claude Code, Codex, opencode, Hermes, OpenHands, Cursor, Copilot and
 * Cline.
 */
const listNames = ['todos', 'items', 'tasks', 'plan', 'task_list', 'todoList', 'todo_list', 'steps', 'task_progress'];
const textNames = ['content', 'text', 'title', 'step', 'description', 'subject', 'task', 'name'];

/**
 * Reads the list from a call of a todo tool, or from its result if the call has no list or only changes. `null` if
 * there is none.
 */
export function todoList(input: string, result: Message | undefined): readonly TodoItem[] | null {
  const given = readTodoList(input);
  if (given && !/"merge"\s*:\s*true/.test(input)) return given;
  return readTodoList(contentText(result?.content)) ?? given;
}

/**
 * Reads a list from JSON: an array, an object that contains an array, or a string with checkboxes. `null` if there is
 * none.
 */
export function readTodoList(json: string): readonly TodoItem[] | null {
  if (json.length > maxListLength || !/^\s*[{[]/.test(json)) return null;
  let parsed: unknown;
  try {
    parsed = JSON.parse(json);
  } catch {
    return null;
  }
  if (Array.isArray(parsed)) return itemsOf(parsed);
  if (!isRecord(parsed)) return null;
  for (const name of listNames) {
    let list = parsed[name];
    if (typeof list === 'string') {
      const checked = checkboxItems(list);
      if (checked.length > 0) return checked;
      // Some models write the list as a JSON string.
      list = /^\s*\[/.test(list) ? (readTodoList(list) ?? undefined) : undefined;
      if (list) return list as readonly TodoItem[];
    } else if (Array.isArray(list)) return itemsOf(list);
  }
  return null;
}

function itemsOf(list: readonly unknown[]): readonly TodoItem[] | null {
  const items: TodoItem[] = [];
  let read = 0;
  for (const item of list) {
    if (typeof item === 'string') {
      read++;
      items.push(checkboxItems(item)[0] ?? { text: itemText(item), status: 'open' });
      continue;
    }
    if (!isRecord(item)) continue;
    const text = textNames.map((name) => item[name]).find((value) => typeof value === 'string' && value.trim() !== '');
    if (typeof text !== 'string') continue;
    read++;
    const status = item.done === true || item.completed === true ? 'done' : statusOf(item.status ?? item.state);
    const id = item.id ?? item.taskId;
    if (status) items.push({ text: itemText(text), status, ...(id === undefined ? {} : { id: String(id) }) });
  }
  return read > 0 || list.length === 0 ? items : null;
}
