import { oneLine, startOf } from '@palimpsest/pruner/salience';

export type TodoStatus = 'done' | 'in progress' | 'open';

/** One item of a task list. */
export interface TodoItem {
  /** The text, verbatim on one line, at most 300 characters. */
  readonly text: string;
  readonly status: TodoStatus;
  /** The tool's id of the item, if it has one. */
  readonly id?: string;
}

/** Maximum length of an item's text, in characters. */
const maxItemLength = 300;
/** Converts a tool's word for a status; `null` for a cancelled or deleted item. */
export function statusOf(word: unknown): TodoStatus | null {
  const status = typeof word === 'string' ? word : '';
  if (/cancel|delete|skip|abandon|obsolete/i.test(status)) return null;
  if (/progress|active|doing|started(?<!not.started)|current|ongoing/i.test(status)) return 'in progress';
  return /(?<!in)(?<!not )complete|done|finished|closed|resolved/i.test(status) ? 'done' : 'open';
}

export function itemText(text: string): string {
  return startOf(oneLine(text).trim(), maxItemLength);
}
