import type { BigIntStats } from 'node:fs';
import { constants, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { SharedStore, StoredState } from '../options/session-store.ts';
import { fileLease } from './file-lease.ts';
import { storeKey } from './key-value-store.ts';

export interface FileStoreOptions {
  /** A state that was not written for this time expires, in milliseconds. @default never */
  readonly expireAfterMs?: number | undefined;
}

/** A write takes milliseconds. After this time, in milliseconds, its process counts as dead. */
const maxWriteMs = 10_000;
/** Each process removes expired files at most once in this time, in milliseconds. */
const sweepEveryMs = 60_000;

/**
 * Stores session state in a folder, for the processes of one machine. Files have mode 0600; a new folder is created with
 * mode 0700 (Windows has no such modes). Each write creates a new file and replaces the old one with it, so a reader never
 * sees a partial write.
 * @example
 * createSession({ id: 'chat-42', store: fileStore('/var/lib/my-agent/sessions'), engine, model });
 */
export function fileStore(folder: string, { expireAfterMs }: FileStoreOptions = {}): SharedStore {
  const pathOf = (id: string): string => join(folder, storeKey(id).replaceAll(':', '.'));
  const isExpired = (found: BigIntStats): boolean =>
    expireAfterMs !== undefined && Number(found.mtimeMs) + expireAfterMs <= Date.now();
  const version = async (id: string): Promise<string | null> => {
    const found = await orAbsent(stat(pathOf(id), { bigint: true }));
    return found && !isExpired(found) ? versionOf(found) : null;
  };
  const isExpiredFile = async (path: string): Promise<boolean> => {
    const found = await orAbsent(stat(path, { bigint: true }));
    return found?.isFile() === true && isExpired(found);
  };
  const removeExpired = async (path: string): Promise<void> => {
    if (await isExpiredFile(path)) await rm(path, { force: true });
  };
  let sweptAt = Date.now();
  const sweep = async (): Promise<void> => {
    if (expireAfterMs === undefined || Date.now() - sweptAt < sweepEveryMs) return;
    sweptAt = Date.now();
    for (const name of await readdir(folder)) {
      const path = join(folder, name);
      if (!name.startsWith('palimpsest.session.') || !(await isExpiredFile(path))) continue;
      // Whoever has the lock is writing the file.
      const release = await fileLease(`${path}.lock`, maxWriteMs);
      if (release) await removeExpired(path).finally(release);
    }
  };
  return {
    version,
    async load(id) {
      const found = await orAbsent(readRegularFile(pathOf(id)));
      return found && !isExpired(found.stats) ? { text: found.text, version: versionOf(found.stats) } : null;
    },
    async save(id, text, before) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      return whileLocked(`${pathOf(id)}.lock`, async () => {
        if ((await version(id)) !== before) return null;
        const written = await replaceFile(pathOf(id), text);
        await sweep();
        return versionOf(written);
      });
    },
    async delete(id) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await whileLocked(`${pathOf(id)}.lock`, () => rm(pathOf(id), { force: true }));
    },
    async lease(name, forMs) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      return fileLease(`${pathOf(name)}.lease`, forMs);
    },
  };
}

/** Changes with every write, because each write makes a new file. */
function versionOf({ ino, mtimeNs, size }: BigIntStats): string {
  return `${ino}-${mtimeNs}-${size}`;
}

async function orAbsent<T>(found: Promise<T>): Promise<T | null> {
  try {
    return await found;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Runs `work` while no other process does. A process that died in it is waited for until `maxWriteMs`. */
async function whileLocked<T>(path: string, work: () => Promise<T>): Promise<T> {
  const started = Date.now();
  for (;;) {
    const release = await fileLease(path, maxWriteMs);
    if (release) return work().finally(release);
    if (Date.now() - started > 2 * maxWriteMs) throw new Error(`Other processes keep ${path} locked.`);
    await new Promise((resolve) => setTimeout(resolve, 2 + Math.random() * 8));
  }
}

/** Replaces a file as a whole: a reader sees the old text or the new one. */
async function replaceFile(path: string, text: string): Promise<BigIntStats> {
  const written = `${path}.${globalThis.crypto.randomUUID()}.tmp`;
  try {
    const stats = await writeNew(written, text);
    await rename(written, path);
    return stats;
  } catch (error) {
    await rm(written, { force: true });
    throw error;
  }
}

async function writeNew(path: string, text: string): Promise<BigIntStats> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text, 'utf8');
    await file.sync();
    return await file.stat({ bigint: true });
  } finally {
    await file.close();
  }
}

/** Reads a file. Opening a pipe without a writer, or reading a device, might never end. */
async function readRegularFile(path: string): Promise<Pick<StoredState, 'text'> & { readonly stats: BigIntStats }> {
  // Windows has no such flag.
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = await file.stat({ bigint: true });
    if (!stats.isFile()) throw new Error(`${path} is not a regular file; remove it.`);
    return { text: await file.readFile('utf8'), stats };
  } finally {
    await file.close();
  }
}
