import { readToolName } from '@palimpsest/agents';
import { contentText, type Message, toolCallInput, toolCallName, toolCalls } from '@palimpsest/core';
import { checkboxItems } from './checkboxes.ts';
import { applyTaskCalls, isTaskTool, type TaskCall, taskCall } from './task-calls.ts';
import type { TodoItem } from './todo-item.ts';
import { readTodoList, todoList } from './todo-list.ts';

/** The newest version of the agent's plan or task list. */
export interface TodoItems {
  /** Index of the message with the list; -1 if there is no list. */
  readonly index: number;
  /** All items except cancelled ones, in order. */
  readonly items: readonly TodoItem[];
  /** The texts of the items in progress. */
  readonly inProgress: readonly string[];
  /** The texts of the open items. */
  readonly pending: readonly string[];
}

/** Matches names, in snake case, of tools that write the whole list. */
const listTool: RegExp =
  /(?:^|_)(?:todos?|todo_?(?:write|read|list|items?))(?:_|$)|^(?:update|write|set|create|manage|make)_?(?:plan|tasks?_?list|tasks)$|^task_?(?:tracker|list)$/;

/** True for a tool, by its own name in snake case, that writes the list, or adds or changes a task of it. */
export function isTodoTool(tool: string): boolean {
  return listTool.test(tool) || isTaskTool(tool);
}

/**
 * Reads the newest version of the agent's plan or task list: from a todo tool, or from tools that add and change single
 * tasks; if it used neither, from the newest list of checkboxes in its text. Ignores lists in files and in results of
 * other tools. Linear time.
 */
export function todoItems(messages: readonly Message[]): TodoItems {
  const changes: TaskCall[] = [];
  let newest = -1;
  let checked: Omit<TodoItems, 'inProgress' | 'pending'> | null = null;
  const results = new Map<string, Message>();
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index]!;
    if (message.role === 'tool' && message.tool_call_id !== undefined) results.set(message.tool_call_id, message);
    if (message.role !== 'assistant') continue;
    const calls = toolCalls(message);
    for (let at = calls.length - 1; at >= 0; at--) {
      const call = calls[at]!;
      const { tool } = readToolName(toolCallName(call));
      const input = toolCallInput(call);
      const result = results.get(call.id);
      const change = taskCall(tool, input, result);
      if (change) {
        newest = Math.max(newest, index);
        changes.push(change);
        continue;
      }
      const list = listTool.test(tool) ? todoList(input, result) : progressIn(input);
      if (list) return toTodoItems(Math.max(newest, index), applyTaskCalls(list, changes.reverse()));
    }
    if (newest < 0 && checked === null) {
      const items = checkboxItems(contentText(message.content));
      if (items.length > 0) checked = { index, items };
    }
  }
  if (newest >= 0) return toTodoItems(newest, applyTaskCalls([], changes.reverse()));
  return checked ? toTodoItems(checked.index, checked.items) : toTodoItems(-1, []);
}

/** Reads the checklist that Cline passes along with the arguments of any tool. */
function progressIn(input: string): readonly TodoItem[] | null {
  return input.includes('"task_progress"') ? readTodoList(input) : null;
}

function toTodoItems(index: number, items: readonly TodoItem[]): TodoItems {
  const texts = (status: TodoItem['status']): string[] =>
    items.filter((item) => item.status === status).map(({ text }) => text);
  return {
    index,
    items: items.map(({ text, status }) => ({ text, status })),
    inProgress: texts('in progress'),
    pending: texts('open'),
  };
}
