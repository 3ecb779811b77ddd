import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Terminal } from '@palimpsest/command-line/terminal';
import { projectConfig } from './project-config.ts';

/** The project folder for engines that need neither a package nor configuration. */
const folder = join('plugins', 'context-engine');

/**
 * Names of a project's own engines: the one in its configuration, and those in its engine folder.
 * @throws {CliError} if the configuration cannot be read
 */
export async function projectEngines({ cwd, env }: Pick<Terminal, 'cwd' | 'env'>): Promise<readonly string[]> {
  const { engine: chosen } = await projectConfig({ cwd, env });
  const entries: Dirent[] = await readdir(join(cwd, folder), { withFileTypes: true }).catch(() => []);
  const inFolder = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  return [...new Set([...(chosen === undefined ? [] : [chosen]), ...inFolder.sort()])];
}
