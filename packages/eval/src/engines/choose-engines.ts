import { CliError } from '@palimpsest/command-line/cli-error';
import { printable } from '@palimpsest/command-line/printable';
import { PalimpsestError } from '@palimpsest/core';
import { createRegistry, type EngineResolver, type Registry } from '@palimpsest/registry';
import type { Engines } from './engines.ts';
import type { ProjectConfig } from './folder-trust.ts';
import { ownEngines } from './own-engines.ts';

interface ChooseOptions {
  /** Where the names come from, for error messages. @default '--engine' */
  readonly source?: string;
  /** The configuration with the options of the engines. @default their defaults */
  readonly config?: ProjectConfig;
}

/** The configuration of a folder without any, whose code is not run. */
const noConfig: ProjectConfig = { context: {}, file: null, trust: async () => false };

/**
 * Finds the engines a user named: built-in ones by name, others by package or path, whose default export is a plugin, and
 * engines of the project also by the names of their plugins. Fallback is off, so a failing engine is never replaced by
 * another.
 * @param wanted `null` for all built-in engines and the configured one
 * @throws {CliError} for an unknown name, with the closest known one, and for a module that is not an engine
 */
export async function chooseEngines(
  wanted: readonly string[] | null,
  cwd: string,
  { source = '--engine', config = noConfig }: ChooseOptions = {},
): Promise<Engines> {
  const { context, file } = config;
  const registry = createRegistry({ fallback: false, resolve: resolverOf(cwd), configFile: file ?? undefined });
  const builtIn = registry.list().map((engine) => engine.name);
  // Maps an engine's own name to the package or path the user gave.
  const references = new Map<string, string>();
  const add = async (name: string, from: string): Promise<void> => {
    const known = await findEngine(registry, name, () => ownEngines(config, cwd)).catch((error: unknown) => {
      if (error instanceof CliError || !PalimpsestError.is(error)) throw error;
      throw CliError.badUsage(`${from}: ${printable(error.message, 600)}`, error);
    });
    if (!references.has(known.name)) references.set(known.name, known.reference);
  };
  for (const name of wanted ?? builtIn) await add(name, source);
  if (wanted === null && context.engine !== undefined) await add(context.engine, 'the configured engine');
  if (references.size === 0)
    throw CliError.badUsage('there is no built-in engine; pass a package or path with --engine');
  return {
    names: [...references.keys()],
    start: (name, host) =>
      registry.create({ engine: references.get(name) ?? name, fallback: false, engines: context.engines }, host),
  };
}

/**
 * The name, package or path by which a registry finds the engine that a user named.
 * @throws {PalimpsestError} as `registry.find`
 */
export async function engineReference(name: string, config: ProjectConfig, cwd: string): Promise<string> {
  const registry = createRegistry({ resolve: resolverOf(cwd) });
  return (await findEngine(registry, name, () => ownEngines(config, cwd))).reference;
}

/**
 * Resolves packages and files from a folder, as Node does. The user typed the path, so it may lie outside the project;
 * only paths in a configuration file may not. The resolver is imported lazily because it takes half of the start-up time.
 */
function resolverOf(directory: string): EngineResolver {
  return async (location) => {
    const { nodeResolver } = await import('@palimpsest/registry/config');
    return nodeResolver({ directory, allowOutside: true })(location);
  };
}

/** An engine that a user named. */
interface FoundEngine {
  /** The name of its plugin. */
  readonly name: string;
  /** The name, package or path by which the registry finds it. */
  readonly reference: string;
}

/**
 * Finds an engine by name, package or path, as the registry does. Otherwise, looks for one of the project's own engines by
 * the name of its plugin, as `palimpsest engines` lists it: the plugin in `palimpsest-engine-tidy` may be called `tidy`.
 * @param own returns the project's own engines, by package, path or folder
 * @throws {PalimpsestError} as `registry.find`
 */
async function findEngine(
  registry: Registry,
  name: string,
  own: () => Promise<readonly string[]>,
): Promise<FoundEngine> {
  try {
    return { name: (await registry.find(name)).name, reference: name };
  } catch (error) {
    if (!PalimpsestError.is(error)) throw error;
    for (const reference of await own()) {
      const engine = await registry.find(reference).catch(() => null);
      if (engine?.name === name) return { name, reference };
    }
    throw error;
  }
}
