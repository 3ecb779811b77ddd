import { oneLine } from '@palimpsest/pruner/salience';
import { type AnsweredCall, endingOf } from '../calls/answered-calls.ts';
import { type FileChange, hasFailed } from '../changes/file-changes.ts';

/** Something the agent looked at, and how often. */
export interface Lookup {
  /** A path or a URL, on one line. */
  readonly name: string;
  readonly count: number;
  /** Index of the message with the newest such call. */
  readonly index: number;
}

/** What the agent looked at; each list is newest first. */
export interface Lookups {
  /** Files that were read but not changed. */
  readonly files: readonly Lookup[];
  readonly urls: readonly Lookup[];
}

/** Lists the files and URLs that the agent looked at. Failed calls do not count. */
export function lookups(
  calls: readonly AnsweredCall[],
  changes: readonly FileChange[],
  key: (path: string) => string,
): Lookups {
  const changed = new Set(changes.flatMap(({ path, renamedFrom }) => [key(path), key(renamedFrom ?? path)]));
  const { read, fetch } = collect(calls, key);
  for (const path of changed) read.delete(path);
  return { files: newestFirst(read), urls: newestFirst(fetch) };
}

type Counts = Map<string, Lookup>;

function collect(calls: readonly AnsweredCall[], key: (path: string) => string): Record<'read' | 'fetch', Counts> {
  const found = { read: new Map(), fetch: new Map() } as Record<'read' | 'fetch', Counts>;
  for (const call of calls)
    for (const operation of call.operations) {
      const action = operation.action === 'open' ? 'read' : operation.action;
      if (action !== 'read' && action !== 'fetch') continue;
      if (operation.path === '' || hasFailed(operation, endingOf(call))) continue;
      const name = action === 'read' ? key(operation.path) : operation.path;
      const known = found[action].get(name);
      // The newest entry is last in the map.
      found[action].delete(name);
      found[action].set(name, { name: oneLine(operation.path), count: (known?.count ?? 0) + 1, index: call.index });
    }
  return found;
}

function newestFirst(counts: Counts): Lookup[] {
  return [...counts.values()].reverse();
}
