import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Which files are found below a folder. */
interface Search {
  accepts(fileName: string): boolean;
  /** @param depth 0 for a folder directly in the first one */
  enters(folderName: string, depth: number): boolean;
  /** Called for a folder that cannot be read. Unless it throws, the others are read. */
  onUnreadable(folder: string, error: unknown): void;
}

/** A regular file, or a link to one. */
interface FileBelow {
  readonly path: string;
  readonly changedMs: number;
}

/** The files below a folder, in alphabetical order. Links to folders are skipped. */
export async function* filesBelow(folder: string, search: Search, depth = 0): AsyncGenerator<FileBelow> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    search.onUnreadable(folder, error);
    return [];
  });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (search.enters(entry.name, depth)) yield* filesBelow(path, search, depth + 1);
    } else if (search.accepts(entry.name)) {
      const found = await stat(path).catch(() => null);
      if (found?.isFile()) yield { path, changedMs: found.mtimeMs };
    }
  }
}
