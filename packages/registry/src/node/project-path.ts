import { realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PalimpsestError } from '@palimpsest/core';

/**
 * Returns the real path of a file or folder, or `null` when it does not exist. Symbolic links are resolved before the
 * check, so that no link leads out of the project.
 * @throws {PalimpsestError} `PATH_REFUSED` when the path is outside `directory` and `allowOutside` is false
 */
export async function projectPath(path: string, directory: string, allowOutside: boolean): Promise<string | null> {
  const wanted = resolve(directory, path.startsWith('file:') ? fileURLToPath(path) : path);
  // Checked before the file system is read, so that the error does not reveal which files exist outside.
  if (!allowOutside) refuseOutside(wanted, resolve(directory), path);
  const [real, root] = await Promise.all([realpath(wanted).catch(() => null), realpath(directory)]);
  if (real !== null && !allowOutside) refuseOutside(real, root, path);
  return real;
}

function refuseOutside(path: string, directory: string, written: string): void {
  const way = relative(directory, path);
  if (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)) return;
  throw new PalimpsestError(
    'PATH_REFUSED',
    `The path "${written}" is outside the project (${directory}). A configuration can load only files inside the project. To allow other paths, pass allowOutside: true to nodeResolver().`,
    { path: written },
  );
}
