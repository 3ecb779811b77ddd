import { constants, mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { SessionStore } from '../options/session-store.ts';
import { keyValueStore } from './key-value-store.ts';

/**
 * Stores session state in a folder, in files that only their owner can read. Files have mode 0600; a new folder is
 * created with mode 0700 (Windows has no such modes). Each write creates a new file and replaces the old one with it,
 * so a reader never sees a partial write.
 * @example
 * createSession({ id: 'chat-42', store: fileStore('/var/lib/my-agent/sessions'), engine, model });
 */
export function fileStore(folder: string): SessionStore {
  const pathOf = (key: string): string => join(folder, key.replaceAll(':', '.'));
  return keyValueStore({
    async getItem(key) {
      try {
        return await readRegularFile(pathOf(key));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
        throw error;
      }
    },
    async setItem(key, value) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await replaceFile(pathOf(key), value);
    },
    removeItem: (key) => rm(pathOf(key), { force: true }),
  });
}

/** Replaces a file as a whole: a reader sees the old text or the new one. */
async function replaceFile(path: string, text: string): Promise<void> {
  const written = `${path}.${globalThis.crypto.randomUUID()}.tmp`;
  try {
    const file = await open(written, 'wx', 0o600);
    try {
      await file.writeFile(text, 'utf8');
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(written, path);
  } catch (error) {
    await rm(written, { force: true });
    throw error;
  }
}

/** Reads a file. Opening a pipe without a writer, or reading a device, might never end. */
async function readRegularFile(path: string): Promise<string> {
  // Windows has no such flag.
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    if (!(await file.stat()).isFile()) throw new Error(`${path} is not a regular file; remove it.`);
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
}
