import { closeSync, openSync, readdirSync, realpathSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { CliError } from '@palimpsest/command-line/cli-error';
import { systemReason } from '@palimpsest/command-line/system-reason';

/** An output file that appears under its name only when it is complete. */
export interface AtomicFile {
  readonly path: string;
  write(content: string | Uint8Array): void;
  /** Renames the temporary file to its final name. */
  commit(): void;
  /** Deletes the temporary file; a no-op after {@link commit}. */
  discard(): void;
}

/** Temporary files, removed when the process exits. */
const unfinished = new Set<string>();
process.on('exit', () => {
  for (const path of unfinished) rmSync(path, { force: true });
});

/**
 * Opens a file for writing under a temporary name in the same folder. A device or pipe (`/dev/null`) is written to directly.
 * @throws {CliError} when it cannot be created
 */
export function openAtomic(file: string, cwd: string): AtomicFile {
  const path = resolveLinks(resolve(cwd, file));
  const existing = statSync(path, { throwIfNoEntry: false });
  if (existing?.isDirectory()) throw CliError.badUsage(`cannot write "${file}": it is a folder; name a file in it`);
  const direct = existing !== undefined && !existing.isFile();
  const temporary = direct ? path : join(dirname(path), `.${basename(path)}.${process.pid}.part`);
  if (!direct) removeLeftovers(path);
  const attempt = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      discard();
      throw CliError.badInput(`cannot write "${file}": ${systemReason(error)}; choose another path`, error);
    }
  };
  let descriptor: number | null = null;
  const close = (): void => {
    if (descriptor !== null) closeSync(descriptor);
    descriptor = null;
  };
  const discard = (): void => {
    close();
    if (!direct && unfinished.delete(temporary)) rmSync(temporary, { force: true });
  };
  descriptor = attempt(() => openSync(temporary, direct ? 'w' : 'wx', existing ? existing.mode & 0o777 : 0o666));
  if (!direct) unfinished.add(temporary);
  return {
    path,
    write: (content) =>
      attempt(() => {
        const bytes = Buffer.from(content as string);
        for (let at = 0; at < bytes.length; ) at += writeSync(descriptor!, bytes, at);
      }),
    commit: () =>
      attempt(() => {
        close();
        if (direct) return;
        renameSync(temporary, path);
        unfinished.delete(temporary);
      }),
    discard,
  };
}

/** Removes the temporary files of processes that were ended by a signal while they wrote the same file. */
function removeLeftovers(path: string): void {
  const [beginning, ending] = [`.${basename(path)}.`, '.part'];
  try {
    for (const name of readdirSync(dirname(path))) {
      const id =
        name.startsWith(beginning) && name.endsWith(ending) ? name.slice(beginning.length, -ending.length) : '';
      if (/^\d+$/.test(id) && !isRunning(Number(id))) rmSync(join(dirname(path), name), { force: true });
    }
  } catch {
    // What prevents it is reported when the file is created.
  }
}

function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Resolves symbolic links, so that the link itself is kept. Returns the path unchanged if it does not exist yet. */
function resolveLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
