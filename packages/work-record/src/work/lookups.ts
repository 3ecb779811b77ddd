import type { TurnLines } from '@palimpsest/salience';
import { touchedFiles } from './touched-files.ts';

/** Something the agent looked at, and how often. */
export interface Lookup {
  /** A path, a search pattern or a URL, on one line. */
  readonly name: string;
  readonly count: number;
  /** Index of the message with the newest such call. */
  readonly index: number;
}

/** What the agent looked at, the newest first in each list. */
export interface Lookups {
  /** Files that were read and not changed. */
  readonly files: readonly Lookup[];
  readonly searches: readonly Lookup[];
  readonly urls: readonly Lookup[];
}

/** The files, searches and URLs that the agent looked at. */
export function lookups(turns: TurnLines): Lookups {
  const files = touchedFiles(turns)
    .filter(({ changed }) => changed === 0)
    .map(({ path, read, last }) => ({ name: path, count: read, index: last }));
  return { files, searches: [], urls: [] };
}
