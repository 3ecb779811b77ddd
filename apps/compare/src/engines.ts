import { type ContextEngine, type EngineHost, PalimpsestError } from '@palimpsest/core';
import { createRegistry, type Registry } from '@palimpsest/registry';
import { nodeResolver } from '@palimpsest/registry/config';
import { Complaint } from './complaint.ts';
import { printable } from './printable.ts';

/** The engines of one run of the program. */
export interface Engines {
  readonly names: readonly string[];
  /** A fresh engine: one for each transcript, since an engine carries a session's state. */
  start(name: string, host: EngineHost): Promise<ContextEngine>;
}

/**
 * Finds the engines a user named: built-in ones by name, others by package or path, whose default export is a plugin. None replaces another when it fails: what is compared is what was named.
 * @param wanted `null` for all that are built in.
 * @throws {Complaint} for an unknown name, with the nearest known one, and for a module that is no engine
 */
export async function chooseEngines(wanted: readonly string[] | null, cwd: string): Promise<Engines> {
  // A path on the command line is the user's own word; only a configuration file has to stay inside of its project.
  const resolve = nodeResolver({ directory: cwd, allowOutside: true });
  const registry = createRegistry({ fallback: false, resolve });
  const builtIn = registry.list().map((engine) => engine.name);
  const names = new Set<string>();
  for (const name of wanted ?? builtIn) names.add((await found(registry, name)).name);
  return { names: [...names], start: (engine, host) => registry.create({ engine, fallback: false }, host) };
}

async function found(registry: Registry, name: string): Promise<{ readonly name: string }> {
  try {
    return await registry.find(name);
  } catch (error) {
    if (error instanceof Complaint || !PalimpsestError.is(error)) throw error;
    throw Complaint.badUsage(`--engine: ${printable(error.message, 600)}`, error);
  }
}
