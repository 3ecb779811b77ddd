import { type Message, toolCallInput, toolCallName, toolCalls } from '@palimpsest/core';

/** The open items of a task list. */
export interface TodoItems {
  readonly underWay: readonly string[];
  readonly pending: readonly string[];
}

/** What the newest task list of the turns leaves open: a call of a todo tool, else unchecked boxes in a text. */
export function todoItems(messages: readonly Message[]): TodoItems {
  for (let at = messages.length - 1; at >= 0; at--) {
    const message = messages[at]!;
    if (message.role !== 'assistant') continue;
    for (const call of toolCalls(message)) {
      if (!/todo|task_?list|update_?plan/i.test(toolCallName(call))) continue;
      const items = readItems(toolCallInput(call));
      if (items) return items;
    }
    const text = typeof message.content === 'string' ? message.content : '';
    if (text.includes('[ ]')) {
      const pending = [...text.matchAll(/^\s*(?:[-*]|\d{1,3}[.)])\s+\[ \]\s+(\S[^\n]{0,300})/gm)].map(
        (found) => found[1]!,
      );
      if (pending.length > 0) return { underWay: [], pending };
    }
  }
  return { underWay: [], pending: [] };
}

function readItems(input: string): TodoItems | null {
  try {
    const parsed = JSON.parse(input) as Record<string, unknown>;
    const list = [parsed.todos, parsed.items, parsed.tasks, parsed.plan].find(Array.isArray) as unknown[] | undefined;
    if (!list) return null;
    const underWay: string[] = [];
    const pending: string[] = [];
    for (const item of list as Record<string, unknown>[]) {
      const text = [item?.content, item?.text, item?.title, item?.step, item?.description].find(
        (value) => typeof value === 'string',
      );
      const status = String(item?.status ?? item?.state ?? '');
      if (typeof text !== 'string' || item?.done === true || /complete|done|cancel/i.test(status)) continue;
      if (/progress|active|doing/i.test(status)) underWay.push(text);
      else pending.push(text);
    }
    return { underWay, pending };
  } catch {
    return null;
  }
}
