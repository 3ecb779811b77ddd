import type { Message } from '@palimpsest/core';
import type { Entry, Found } from '../hidden/hidden-index.ts';
import type { ToolContext } from './tool-context.ts';

/** Maximum number of hits in one text; `expand` shows the rest. */
const maxOfOneText = 2;

/** Returns the best chunks for a query, best first; those of the newest request are last, because it often is the question. */
export function searchHidden(
  query: string,
  limit: number,
  { index, history }: Pick<ToolContext, 'index' | 'history'>,
  isWanted: (entry: Entry) => boolean = () => true,
): readonly Found[] {
  const found = index.search(query, isWanted);
  const [from, to] = newestTask(history);
  const isFromPerson = ({ entry }: Found): boolean => entry.at >= from && entry.at < to && entry.tool === 'user';
  return chooseHits([...found.filter((hit) => !isFromPerson(hit)), ...found.filter(isFromPerson)], limit);
}

/** Leaves out repetitions, and more than two chunks of one text. */
function chooseHits(found: readonly Found[], limit: number): readonly Found[] {
  const hits: Found[] = [];
  const texts = new Set<string>();
  const perEntry = new Map<Entry, number>();
  for (const hit of found) {
    const text = hit.entry.text.slice(hit.chunk.from, hit.chunk.to).trim();
    const count = perEntry.get(hit.entry) ?? 0;
    if (texts.has(text) || count === maxOfOneText) continue;
    texts.add(text);
    perEntry.set(hit.entry, count + 1);
    if (hits.push(hit) === limit) break;
  }
  return hits;
}

/** The last messages of the user in a row: agents add their own messages to a request. */
function newestTask(history: readonly Message[]): readonly [from: number, to: number] {
  const to = history.findLastIndex(({ role }) => role === 'user') + 1;
  let from = to;
  while (history[from - 1]?.role === 'user') from--;
  return [from, to];
}
