import { type Message, toolCallInput, toolCallName, toolCalls } from '@palimpsest/core';

/** The unfinished items of a task list. */
export interface TodoItems {
  /** Index of the message with the list; -1 if there is no list. */
  readonly index: number;
  readonly inProgress: readonly string[];
  readonly pending: readonly string[];
}

const todoTool: RegExp = /todo|task_?list|update_?plan/i;
const uncheckedBox: RegExp = /^\s*(?:[-*]|\d{1,3}[.)])\s+\[ \]\s+(\S[^\n]{0,300})/gm;

/** The unfinished items of the agent's newest task list: of a todo tool call, or unchecked boxes in its text. */
export function todoItems(messages: readonly Message[]): TodoItems {
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index]!;
    if (message.role !== 'assistant') continue;
    for (const call of toolCalls(message)) {
      const items = todoTool.test(toolCallName(call)) ? readItems(toolCallInput(call)) : null;
      if (items) return { index, ...items };
    }
    const text = typeof message.content === 'string' ? message.content : '';
    if (!text.includes('[ ]')) continue;
    const pending = [...text.matchAll(uncheckedBox)].map((found) => found[1]!);
    if (pending.length > 0) return { index, inProgress: [], pending };
  }
  return { index: -1, inProgress: [], pending: [] };
}

/** Reads the list in the arguments of a todo tool; `null` if there is none. */
function readItems(input: string): Omit<TodoItems, 'index'> | null {
  try {
    const parsed = JSON.parse(input) as Record<string, unknown>;
    const list = [parsed.todos, parsed.items, parsed.tasks, parsed.plan].find(Array.isArray) as unknown[] | undefined;
    if (!list) return null;
    const inProgress: string[] = [];
    const pending: string[] = [];
    for (const item of list as Record<string, unknown>[]) {
      const text = [item?.content, item?.text, item?.title, item?.step, item?.description].find(
        (value) => typeof value === 'string',
      );
      const status = String(item?.status ?? item?.state ?? '');
      if (typeof text !== 'string' || item?.done === true || /complete|done|cancel/i.test(status)) continue;
      if (/progress|active|doing/i.test(status)) inProgress.push(text);
      else pending.push(text);
    }
    return { inProgress, pending };
  } catch {
    return null;
  }
}
