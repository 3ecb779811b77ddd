import type { Entry } from './entry.ts';

/** The lines as one history: all of them without the agent's own compactions, or what stands since the last of these. */
export function historyOf(entries: readonly Entry[], live: readonly boolean[], history: 'whole' | 'context'): Entry[] {
  const isSaid = ({ kind }: Entry, at: number): boolean => live[at]! && kind !== 'aside' && kind !== 'boundary';
  if (history === 'whole') {
    // What a summary at the very beginning stands for is in no line of this log.
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

/** Where the last compaction begins: at its boundary, or at the summary of an agent that wrote none. */
function lastCompaction(entries: readonly Entry[], live: readonly boolean[]): number {
  const boundary = entries.findLastIndex(({ kind }, at) => live[at]! && kind === 'boundary');
  const summary = entries.findLastIndex(({ kind }, at) => live[at]! && kind === 'summary');
  // A boundary and the summary behind it are one compaction; a later summary without one is another.
  const isPair = boundary >= 0 && !entries.slice(boundary, summary).some(({ kind }) => kind === 'assistant');
  return summary > boundary && !isPair ? summary : Math.max(boundary, 0);
}

/** The lines from the tail of a chain up to its head. */
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
