import { oneLine } from '@palimpsest/pruner/salience';
import type { WorkRecord } from '../work-record/read-work-record.ts';
import { ListEntry, type ShortenableList } from './fit-list.ts';
import { leftOutNote, splitLeftOut } from './left-out.ts';

const leftOut = leftOutNote('more item of the task list', 'more items of the task list');

/** Lists the agent's current tasks, or the earlier summary's items if there is no newer task list. */
export function planList(
  { todo }: Pick<WorkRecord, 'todo'>,
  isFolded: (index: number) => boolean,
  earlier: readonly string[],
): ShortenableList {
  const before = splitLeftOut(earlier, leftOut, String);
  const isNewer = todo.index >= 0;
  const texts = isNewer ? [] : [...new Set(before.items)];
  return {
    entries:
      isNewer && isFolded(todo.index) ? todoEntries(todo) : texts.map((text) => new ListEntry('-', () => [text])),
    keep: 'first',
    leftOutBefore: isNewer ? 0 : before.count,
    leftOut: (count) => [leftOut.line(count)],
  };
}

function todoEntries({ index, items, inProgress, pending }: WorkRecord['todo']): ListEntry[] {
  const open = new Set([...inProgress.map((text) => `${oneLine(text)} (in progress)`), ...pending.map(oneLine)]);
  const from = [[index]];
  const entries = [...open].map((text) => new ListEntry('-', () => [text], from));
  const done = items.filter(({ status }) => status === 'done').map(({ text }) => oneLine(text));
  const count = `${done.length} of ${items.length} items of the task list are done`;
  if (done.length > 0) entries.push(new ListEntry('-', () => [`${count}: ${done.join('; ')}`, count], from));
  return entries;
}
