import { link, readFile, readlink, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';

/**
 * A lease between the processes of one machine: a file that names its holder. Its modification time is the end of the lease,
 * which also ends with the holder's process. `link` creates the file only if there is none, so one process gets the lease.
 * An expired lease file is never replaced in place, because two processes could do so at once. The next lease is a new file
 * whose name contains the previous holder's id.
 * @returns releases the lease; `null` if another process has it
 */
export async function fileLease(path: string, forMs: number): Promise<(() => Promise<void>) | null> {
  const holder = globalThis.crypto.randomUUID();
  const end = Date.now() + forMs;
  const made = `${path}.${holder}.tmp`;
  const before = await findChain(path);
  if (!before.isOver) return null;
  await writeFile(made, `${holder} ${process.pid} ${await ownPlace()}`, { flag: 'wx', mode: 0o600 });
  try {
    await utimes(made, new Date(end), new Date(end));
    if (!(await linkNew(made, before.next))) return null;
  } finally {
    await rm(made, { force: true });
  }
  // The leases before may have been removed meanwhile.
  const now = await findChain(path);
  if (now.holder !== holder) {
    await rm(before.next, { force: true });
    return null;
  }
  let isReleased = false;
  return async () => {
    // After its end, it is left to the next holder.
    if (isReleased || Date.now() >= end) return;
    isReleased = true;
    for (const file of now.files) await rm(file, { force: true });
  };
}

/** The leases of one path, from the first to the last holder. All but the last have ended. */
interface Chain {
  readonly files: readonly string[];
  /** The last holder. */
  readonly holder: string | null;
  /** True if nobody has the lease. */
  readonly isOver: boolean;
  /** The name of the next lease. */
  readonly next: string;
}

async function findChain(path: string): Promise<Chain> {
  const files: string[] = [];
  let holder: string | null = null;
  let isOver = true;
  let next = path;
  for (;;) {
    const found = await readLease(next);
    if (!found) return { files, holder, isOver, next };
    files.push(next);
    holder = found.holder;
    isOver = found.end <= Date.now();
    next = `${path}.${holder}`;
  }
}

async function readLease(path: string): Promise<{ readonly holder: string; readonly end: number } | null> {
  try {
    const [holder = '', pid, ...place] = (await readFile(path, 'utf8')).split(' ');
    const isOver = place.join(' ') === (await ownPlace()) && isDead(Number(pid));
    const end = isOver ? 0 : (await stat(path)).mtimeMs;
    return { holder: /^[0-9a-f-]{36}$/.test(holder) ? holder : 'unknown', end };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** @returns false if the file exists already */
async function linkNew(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Where this process has its id: containers have ids of their own, and may have the same host name. */
async function ownPlace(): Promise<string> {
  return `${hostname()} ${await readlink('/proc/self/ns/pid').catch(() => '')}`;
}

/** True if no process has this id. */
function isDead(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
