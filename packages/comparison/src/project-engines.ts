import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { CliError } from '@palimpsest/command-line/cli-error';
import { printable } from '@palimpsest/command-line/printable';
import { PalimpsestError } from '@palimpsest/core';

/** The project folder for engines that need neither a package nor configuration. */
const folder = join('plugins', 'context-engine');

/**
 * Names of a project's own engines: the one in its configuration, and those in its engine folder.
 * @throws {CliError} if the configuration cannot be read
 */
export async function projectEngines(cwd: string): Promise<readonly string[]> {
  const chosen = await configuredEngine(cwd);
  const entries: Dirent[] = await readdir(join(cwd, folder), { withFileTypes: true }).catch(() => []);
  const inFolder = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  return [...new Set([...(chosen === undefined ? [] : [chosen]), ...inFolder.sort()])];
}

async function configuredEngine(cwd: string): Promise<string | undefined> {
  const { loadConfig } = await import('@palimpsest/registry/config');
  try {
    return (await loadConfig({ cwd })).context.engine;
  } catch (error) {
    if (!PalimpsestError.is(error)) throw error;
    throw CliError.badInput(printable(error.message, 600), error);
  }
}
