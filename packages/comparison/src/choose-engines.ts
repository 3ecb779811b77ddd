import { CliError } from '@palimpsest/command-line/cli-error';
import { printable } from '@palimpsest/command-line/printable';
import { PalimpsestError } from '@palimpsest/core';
import { type ContextConfig, createRegistry, type EngineResolver, type Registry } from '@palimpsest/registry';
import type { Engines } from './engines.ts';

interface ChooseOptions {
  /** Where the names come from, for error messages. @default '--engine' */
  readonly source?: string;
  /** The options of the engines, by engine name. @default their defaults */
  readonly options?: ContextConfig['engines'];
}

/**
 * Finds the engines a user named: built-in ones by name, others by package or path, whose default export is a plugin.
 * Fallback is off, so a failing engine is never replaced by another.
 * @param wanted `null` for all built-in engines
 * @throws {CliError} for an unknown name, with the closest known one, and for a module that is not an engine
 */
export async function chooseEngines(
  wanted: readonly string[] | null,
  cwd: string,
  { source = '--engine', options }: ChooseOptions = {},
): Promise<Engines> {
  const registry = createRegistry({ fallback: false, resolve: resolverOf(cwd) });
  const builtIn = registry.list().map((engine) => engine.name);
  // Maps an engine's own name to the package or path the user gave.
  const references = new Map<string, string>();
  for (const reference of wanted ?? builtIn) references.set((await found(registry, reference, source)).name, reference);
  if (references.size === 0)
    throw CliError.badUsage('there is no built-in engine; pass a package or path with --engine');
  return {
    names: [...references.keys()],
    start: (name, host) =>
      registry.create({ engine: references.get(name) ?? name, fallback: false, engines: options }, host),
  };
}

/**
 * Resolves packages and files from a folder, as Node does. The user typed the path, so it may lie outside the project;
 * only paths in a configuration file may not. The resolver is imported lazily because it takes half of the start-up time.
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
    if (error instanceof CliError || !PalimpsestError.is(error)) throw error;
    throw CliError.badUsage(`${source}: ${printable(error.message, 600)}`, error);
  }
}
