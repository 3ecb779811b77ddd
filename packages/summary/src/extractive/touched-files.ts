import type { TurnLines } from '@palimpsest/salience';

/** Names of tools that change what they are given, as agents call them. */
const changing: RegExp = /write|edit|create|replace|patch|insert|append|update|save|move|rename|delete|remove/i;
const path: RegExp =
  /^(?:[A-Za-z]:[\\/]|~?\/|\.{1,2}\/)?[\w.@+-]+(?:[\\/][\w.@+ -]+)*\.[A-Za-z][\w]{0,9}$|^(?:~?\/|\.{1,2}\/)[\w.@+/-]+$/;
const pathInText: RegExp = /(?:~?\/|\.{1,2}\/)?[\w.@+-]{1,64}(?:\/[\w.@+-]{1,64}){1,16}\.[A-Za-z]\w{0,9}/g;

/** A path the agent worked on. */
export interface TouchedFile {
  readonly path: string;
  /** How often tools were called on it that change things, and others. */
  readonly changed: number;
  readonly read: number;
  /** Position of the last message that touches it. */
  readonly last: number;
}

/** The paths that calls were made on, those changed first, then the newest. */
export function touchedFiles(record: TurnLines): TouchedFile[] {
  const files = new Map<string, { changed: number; read: number; last: number }>();
  for (const call of record.calls) {
    const paths = path.test(call.target) ? [call.target] : (call.target.slice(0, 2_000).match(pathInText) ?? []);
    const changes = changing.test(call.name);
    for (const found of new Set(paths)) {
      const known = files.get(found) ?? { changed: 0, read: 0, last: 0 };
      if (changes) known.changed++;
      else known.read++;
      known.last = call.at;
      files.set(found, known);
    }
  }
  return [...files]
    .map(([name, counts]) => ({ path: name, ...counts }))
    .sort((a, b) => Number(b.changed > 0) - Number(a.changed > 0) || b.last - a.last);
}
