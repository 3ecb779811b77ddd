import type { TurnLines } from '@palimpsest/salience';

/** Matches the names of tools that change files. */
const changing: RegExp = /write|edit|create|replace|patch|insert|append|update|save|move|rename|delete|remove/i;
const path: RegExp =
  /^(?:[A-Za-z]:[\\/]|~?\/|\.{1,2}\/)?[\w.@+-]+(?:[\\/][\w.@+ -]+)*\.[A-Za-z][\w]{0,9}$|^(?:~?\/|\.{1,2}\/)[\w.@+/-]+$/;
const pathInText: RegExp = /(?:~?\/|\.{1,2}\/)?[\w.@+-]{1,64}(?:\/[\w.@+-]{1,64}){1,16}\.[A-Za-z]\w{0,9}/g;

/** Of a longer command, only the beginning is searched for paths. Characters. */
const searched = 2_000;

/** A file that tools were called on. */
export interface TouchedFile {
  readonly path: string;
  /** Number of calls of tools that change files, by their name. */
  readonly changed: number;
  /** Number of calls of other tools. */
  readonly read: number;
  /** Index of the newest message with such a call. */
  readonly last: number;
}

/** The files that tools were called on: changed ones first, the newest first among each. */
export function touchedFiles({ calls }: TurnLines): TouchedFile[] {
  const files = new Map<string, { changed: number; read: number; last: number }>();
  for (const { name, target, at } of calls) {
    const paths = path.test(target) ? [target] : (target.slice(0, searched).match(pathInText) ?? []);
    const changes = changing.test(name);
    for (const found of new Set(paths)) {
      const known = files.get(found) ?? { changed: 0, read: 0, last: 0 };
      if (changes) known.changed++;
      else known.read++;
      known.last = at;
      files.set(found, known);
    }
  }
  return [...files]
    .map(([name, counts]) => ({ path: name, ...counts }))
    .sort((a, b) => Number(b.changed > 0) - Number(a.changed > 0) || b.last - a.last);
}
