import { realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CliError } from '@palimpsest/command-line/cli-error';
import { printable } from '@palimpsest/command-line/printable';
import type { LoadedConfig } from '@palimpsest/registry/config';

/**
 * Refuses engines of a configuration that are files outside the folder, also by a link. A path that the user types may
 * lead anywhere.
 * @throws {CliError}
 */
export async function refuseOutside({ context, file }: LoadedConfig, cwd: string): Promise<void> {
  for (const name of [context.engine, context.fallback])
    if (typeof name === 'string' && (await leadsOutside(name, cwd)))
      throw CliError.badInput(
        `${printable(file ?? 'the configuration', 300)}: the engine ${printable(name, 200)} is outside this folder; move it into the folder, install it as a package, or name it with --engine`,
      );
}

async function leadsOutside(name: string, cwd: string): Promise<boolean> {
  const path = resolve(cwd, name.startsWith('file:') ? fileURLToPath(name) : name);
  const way = relative(await realpath(cwd), await realpath(path).catch(() => path));
  return way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way);
}
