import { randomUUID } from 'node:crypto';
import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { CliError } from '@palimpsest/command-line/cli-error';
import { printable } from '@palimpsest/command-line/printable';

/**
 * Creates the folder of a store, and writes and removes a file in it, so that a mistake is found before an agent works.
 * @returns the absolute path
 * @throws {CliError} if it cannot be written, or others can write to it
 */
export async function storeFolder(given: string, cwd: string): Promise<string> {
  const folder = resolve(cwd, given);
  const trial = join(folder, `palimpsest.trial.${randomUUID()}`);
  try {
    await createFolder(folder);
    await writeFile(trial, '', { mode: 0o600, flag: 'wx' });
    await rm(trial);
  } catch (error) {
    const shown = printable(folder);
    const isFile = await stat(folder).then(
      (found) => !found.isDirectory(),
      () => false,
    );
    if (isFile) throw CliError.badUsage(`--store: ${shown} is a file; name a folder, which need not exist yet`, error);
    const { code } = error as NodeJS.ErrnoException;
    throw CliError.badUsage(
      `--store: conversations cannot be stored in ${shown} (${code}); change its permissions, or name another folder`,
      error,
    );
  }
  await refuseShared(folder);
  return folder;
}

/** Refuses a folder in which other users could change conversations. Windows has no such modes. */
async function refuseShared(folder: string): Promise<void> {
  const own = process.getuid?.();
  if (own === undefined) return;
  const { mode, uid } = await stat(folder);
  const shown = printable(folder);
  if ((mode & 0o022) !== 0)
    throw CliError.badUsage(
      `--store: other users can write to ${shown}, and could change conversations; run chmod go-w on it, or name another folder`,
    );
  // The superuser may use the folder of another user, as containers do.
  if (uid !== own && own !== 0)
    throw CliError.badUsage(`--store: ${shown} belongs to another user; name one of your own folders`);
}

/** Creates a folder and those above it. Node's own way does not end in some folders, such as `/proc`. */
async function createFolder(folder: string): Promise<void> {
  const create = (): Promise<void> => mkdir(folder, { mode: 0o700 });
  try {
    await create();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT' || dirname(folder) === folder) throw error;
    await createFolder(dirname(folder));
    await create();
  }
}
