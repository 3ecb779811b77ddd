import { realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PalimpsestError } from '@palimpsest/core';

/**
 * The real path of a file or folder, or `null` when there is none. Links are followed before the check, so that none
 * leads out of the project.
 * @throws {PalimpsestError} `PATH_REFUSED` when it lies outside of `directory` and `allowOutside` is false
 */
export async function projectPath(path: string, directory: string, allowOutside: boolean): Promise<string | null> {
  const wanted = resolve(directory, path.startsWith('file:') ? fileURLToPath(path) : path);
  // Judged before looking, so that an error does not tell which files exist outside.
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
    `The path "${written}" leads out of the project (${directory}). A configuration may only load what lies inside; pass allowOutside: true to nodeResolver() to permit it.`,
    { path: written },
  );
}
