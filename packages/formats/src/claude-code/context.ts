import type { Entry } from './entry.ts';

/** Selects the lines of the whole history, without the agent's compactions, or of the context since the last compaction. */
export function historyOf(entries: readonly Entry[], live: readonly boolean[], history: 'whole' | 'context'): Entry[] {
  const isSaid = ({ kind }: Entry, at: number): boolean => live[at]! && kind !== 'aside' && kind !== 'boundary';
  if (history === 'whole') {
    // A summary at the very beginning is kept, because the log does not contain the lines it replaced.
    const first = entries.findIndex(isSaid);
    return entries.filter((entry, at) => isSaid(entry, at) && (entry.kind !== 'summary' || at === first));
  }
  const start = lastCompaction(entries, live);
  const since = entries.filter((entry, at) => at >= start && isSaid(entry, at));
  const { preserved = null } = entries[start] ?? {};
  if (!preserved) return since;
  const wanted = 'uuids' in preserved ? new Set(preserved.uuids) : chain(entries, preserved.head, preserved.tail);
  const kept = entries.filter(
    (entry, at) => at < start && entry.uuid !== null && wanted.has(entry.uuid) && isSaid(entry, at),
  );
  const summaries = since.filter(({ kind }) => kind === 'summary');
  return [...summaries, ...kept, ...since.filter(({ kind }) => kind !== 'summary')];
}

/** Index where the last compaction begins: its boundary, or its summary if the agent wrote no boundary. */
function lastCompaction(entries: readonly Entry[], live: readonly boolean[]): number {
  const boundary = entries.findLastIndex(({ kind }, at) => live[at]! && kind === 'boundary');
  const summary = entries.findLastIndex(({ kind }, at) => live[at]! && kind === 'summary');
  // A boundary and the summary after it are one compaction; a later summary without a boundary is another.
  const isPair = boundary >= 0 && !entries.slice(boundary, summary).some(({ kind }) => kind === 'assistant');
  return summary > boundary && !isPair ? summary : Math.max(boundary, 0);
}

/** Ids of the lines from the tail of a chain up to its head. */
function chain(entries: readonly Entry[], head: string, tail: string): ReadonlySet<string> {
  const parents = new Map(entries.flatMap(({ uuid, parent }) => (uuid === null ? [] : [[uuid, parent] as const])));
  const found = new Set<string>();
  let at: string | null | undefined = tail;
  while (typeof at === 'string' && !found.has(at)) {
    found.add(at);
    if (at === head) break;
    at = parents.get(at);
  }
  return found;
}
