import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProjectConfig } from './folder-trust.ts';

/** The project folder for engines that need neither a package nor configuration. */
const folder = join('plugins', 'context-engine');

/**
 * The engines of a project, as the registry finds them: the one of its configuration, and those in its engine folder, if
 * the user trusts it.
 */
export async function ownEngines({ context, trust }: ProjectConfig, cwd: string): Promise<readonly string[]> {
  const { engine } = context;
  const entries: Dirent[] = await readdir(join(cwd, folder), { withFileTypes: true }).catch(() => []);
  const found = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const inFolder = found.length > 0 && (await trust(folder)) ? found : [];
  return [...new Set([...(engine === undefined ? [] : [engine]), ...inFolder.sort()])];
}
