import { itemText, type TodoItem } from './todo-item.ts';

const box: RegExp = /^\s*(?:(?:[-*+\u2022]|\d{1,3}[.)])\s+)?\[([ xX~\-/>])\]\s+(\S.*)$/;
const fence: RegExp = /^\s*(?:```|~~~)/;
const status = { ' ': 'open', x: 'done', X: 'done' } as const;

/** Reads the items of the last list of checkboxes in a text. Ignores boxes in code and quotations. */
export function checkboxItems(text: string): TodoItem[] {
  if (!text.includes('[')) return [];
  let items: TodoItem[] = [];
  let inFence = false;
  let ended = false;
  for (const line of text.split('\n')) {
    if (fence.test(line)) inFence = !inFence;
    if (inFence) continue;
    const found = box.exec(line.slice(0, 1_000));
    if (found) {
      // A heading between two lists begins a new list, unless it divides one plan.
      if (ended) items = [];
      ended = false;
      const mark = found[1]! as keyof typeof status;
      items.push({ text: itemText(found[2]!), status: status[mark] ?? 'in progress' });
    } else if (items.length > 0 && /^\S/.test(line) && !/^#{2,6}\s/.test(line)) ended = true;
  }
  return items;
}
