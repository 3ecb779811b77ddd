import { constants, mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { SessionStore } from './session-store.ts';

/**
 * Stores session state in a folder, in files that only their owner can read. Files have mode 0600; a new folder is
 * created with mode 0700 (Windows has no such modes). Each write creates a new file and replaces the old one with it,
 * so a reader never sees a partial write.
 * @example
 * createSession({ id: 'chat-42', store: fileStore('/var/lib/my-agent/sessions'), engine, model });
 */
export function fileStore(folder: string): SessionStore {
  const pathOf = (key: string): string => {
    if (!/^[a-z0-9_=:-]{1,240}$/.test(key)) throw new Error(`"${key.slice(0, 40)}" is not a key of a session.`);
    return join(folder, key.replaceAll(':', '.'));
  };
  return {
    async getItem(key) {
      try {
        return await readRegularFile(pathOf(key));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
        throw error;
      }
    },
    async setItem(key, value) {
      const path = pathOf(key);
      const written = `${path}.${globalThis.crypto.randomUUID()}.tmp`;
      await mkdir(folder, { recursive: true, mode: 0o700 });
      try {
        const file = await open(written, 'wx', 0o600);
        try {
          await file.writeFile(value, 'utf8');
          await file.sync();
        } finally {
          await file.close();
        }
        await rename(written, path);
      } catch (error) {
        await rm(written, { force: true });
        throw error;
      }
    },
    async removeItem(key) {
      await rm(pathOf(key), { force: true });
    },
  };
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
