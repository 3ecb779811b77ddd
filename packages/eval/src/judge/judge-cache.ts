import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Stores answers of a judge's model. */
export interface JudgeCache {
  /** @returns the text stored under a key; `null` if there is none */
  get(key: string): Promise<string | null>;
  set(key: string, text: string): Promise<void>;
}

/**
 * Stores each answer in a file of a folder, at once, so that an interrupted run goes on where it stopped. The answers quote
 * transcripts; only the user can read them.
 */
export function fileJudgeCache(folder: string): JudgeCache {
  const pathOf = (key: string): string => join(folder, `${key}.txt`);
  return {
    async get(key) {
      try {
        return await readFile(pathOf(key), 'utf8');
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
        throw error;
      }
    },
    async set(key, text) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const unfinished = `${pathOf(key)}.${process.pid}`;
      await writeFile(unfinished, text, { mode: 0o600 });
      await rename(unfinished, pathOf(key));
    },
  };
}
