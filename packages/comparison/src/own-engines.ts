import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ContextConfig } from '@palimpsest/registry';

/** The project folder for engines that need neither a package nor configuration. */
const folder = join('plugins', 'context-engine');

/** The engines of a project, as the registry finds them: the one of its configuration, and those in its engine folder. */
export async function ownEngines({ engine }: ContextConfig, cwd: string): Promise<readonly string[]> {
  const entries: Dirent[] = await readdir(join(cwd, folder), { withFileTypes: true }).catch(() => []);
  const inFolder = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  return [...new Set([...(engine === undefined ? [] : [engine]), ...inFolder.sort()])];
}
