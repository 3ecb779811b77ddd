import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { EngineLocation, LoadedEngine } from '@palimpsest/registry';
import { Complaint } from './complaint.ts';
import { printable } from './printable.ts';

/**
 * Loads the module at a path that stands on the command line. It is run, like any program a user names there; nothing
 * that stands in a transcript comes here.
 * @returns `null` when nothing is there
 * @throws {Complaint} when it cannot be loaded
 */
export async function loadEngine({ kind, specifier }: EngineLocation, cwd: string): Promise<LoadedEngine | null> {
  const path = resolve(cwd, specifier);
  if (kind !== 'path' || !(await stat(path).catch(() => null))?.isFile()) return null;
  try {
    return { source: printable(specifier), exports: await import(pathToFileURL(path).href) };
  } catch (error) {
    const { name, code, message } = error as NodeJS.ErrnoException;
    throw Complaint.badUsage(
      `cannot load the engine "${printable(specifier)}" (${printable(`${code ?? name}: ${message}`, 300)}); check the module and what it imports`,
      error,
    );
  }
}
