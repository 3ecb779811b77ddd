import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { printable } from '@palimpsest/command-line/printable';
import { PalimpsestError } from '@palimpsest/core';
import { Complaint } from './complaint.ts';

/** Where a project keeps engines that need no package and no configuration besides their name. */
const folder = join('plugins', 'context-engine');

/**
 * Names of the engines that a project brings: what its configuration chooses, and what lies in its folder for engines.
 * @throws {Complaint} for a configuration that cannot be read
 */
export async function projectEngines(cwd: string): Promise<readonly string[]> {
  const chosen = await configuredEngine(cwd);
  const entries: Dirent[] = await readdir(join(cwd, folder), { withFileTypes: true }).catch(() => []);
  const lying = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  return [...new Set([...(chosen === undefined ? [] : [chosen]), ...lying.sort()])];
}

async function configuredEngine(cwd: string): Promise<string | undefined> {
  const { loadConfig } = await import('@palimpsest/registry/config');
  try {
    return (await loadConfig({ cwd })).context.engine;
  } catch (error) {
    if (!PalimpsestError.is(error)) throw error;
    throw Complaint.badInput(printable(error.message, 600), error);
  }
}
