import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
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
        return await readFile(pathOf(key), 'utf8');
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
