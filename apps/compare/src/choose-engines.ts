import { printable } from '@palimpsest/command-line/printable';
import { PalimpsestError } from '@palimpsest/core';
import { createRegistry, type EngineResolver, type Registry } from '@palimpsest/registry';
import { Complaint } from './complaint.ts';
import type { Engines } from './engines.ts';

/**
 * Finds the engines a user named: built-in ones by name, others by package or path, whose default export is a plugin.
 * None replaces another when it fails: what is compared is what was named.
 * @param wanted `null` for all that are built in.
 * @param source who named them, for complaints.
 * @throws {Complaint} for an unknown name, with the nearest known one, and for a module that is no engine
 */
export async function chooseEngines(
  wanted: readonly string[] | null,
  cwd: string,
  source = '--engine',
): Promise<Engines> {
  const registry = createRegistry({ fallback: false, resolve: resolverOf(cwd) });
  const builtIn = registry.list().map((engine) => engine.name);
  // What a package or path leads to is known by that, and not by the name it gives itself.
  const references = new Map<string, string>();
  for (const reference of wanted ?? builtIn) references.set((await found(registry, reference, source)).name, reference);
  if (references.size === 0)
    throw Complaint.badUsage('no engine is built in; name one by its package or path with --engine');
  return {
    names: [...references.keys()],
    start: (name, host) => registry.create({ engine: references.get(name) ?? name, fallback: false }, host),
  };
}

/**
 * Finds packages and files as Node does from a folder. A path on the command line is the user's own word; only one in a
 * configuration file has to stay inside of its project. Loaded when first asked: it is half of the start-up time.
 */
function resolverOf(directory: string): EngineResolver {
  return async (location, options) => {
    const { nodeResolver } = await import('@palimpsest/registry/config');
    return nodeResolver({ directory, allowOutside: true })(location, options);
  };
}

async function found(registry: Registry, name: string, source: string): Promise<{ readonly name: string }> {
  try {
    return await registry.find(name);
  } catch (error) {
    if (error instanceof Complaint || !PalimpsestError.is(error)) throw error;
    throw Complaint.badUsage(`${source}: ${printable(error.message, 600)}`, error);
  }
}
