import { PalimpsestError } from '@palimpsest/core';
import { type EnginePlugin, nearestName, suggestName } from '@palimpsest/core/authoring';
import { type EngineLocation, type EngineResolver, engineLocations, packageName } from './engine-location.ts';
import { checkPlugin, pluginOf } from './plugin-check.ts';

/** An engine known to a registry. */
export interface KnownEngine {
  readonly name: string;
  /** Origin of the engine, for display: `built in`, `plugins[0]`, or the module. */
  readonly source: string;
  readonly builtIn: boolean;
}

/** A known engine with its plugin. */
export interface EngineEntry extends KnownEngine {
  readonly plugin: EnginePlugin;
  /** True if the resolver loaded its module. */
  readonly loaded: boolean;
}

/** The engines of one registry: registered or loaded. */
export interface KnownEngines {
  /** @throws {PalimpsestError} `ENGINE_DUPLICATE`, `ENGINE_INVALID`, `ENGINE_INCOMPATIBLE` */
  add(plugin: EnginePlugin, source: string, builtIn: boolean): void;
  get(name: string): EngineEntry | null;
  /** Finds the engine for a name in a configuration. Loads it at most once. */
  find(name: string): Promise<EngineEntry>;
  list(): readonly EngineEntry[];
}

export function createKnownEngines(resolve: EngineResolver | undefined): KnownEngines {
  const entries = new Map<string, EngineEntry>();
  const loads = new Map<string, Promise<EngineEntry>>();

  const add = (plugin: EnginePlugin, source: string, builtIn: boolean, loaded = false): EngineEntry => {
    checkPlugin(plugin, source);
    const other = entries.get(plugin.name);
    const entry = { name: plugin.name, source, builtIn, plugin, loaded };
    if (!other) {
      entries.set(plugin.name, entry);
      return entry;
    }
    if (other.plugin === plugin) return other;
    throw new PalimpsestError(
      'ENGINE_DUPLICATE',
      `Two engines are named "${plugin.name}": one is ${other.source}, the other is ${source}. Rename one of them.`,
      { name: plugin.name, sources: [other.source, source] },
    );
  };

  const load = async (name: string): Promise<EngineEntry> => {
    const locations = resolve ? engineLocations(name) : [];
    for (const location of locations) {
      const found = await resolve!(location);
      if (found) return add(pluginOf(found.exports, found.source), found.source, false, true);
    }
    throw engineNotFound(name, [...entries.keys()], locations, resolve !== undefined);
  };

  return {
    add: (plugin, source, builtIn) => void add(plugin, source, builtIn),
    get: (name) => entries.get(name) ?? null,
    async find(name) {
      // A loaded module's own name is not a registered name: otherwise the result would depend on earlier loads.
      const registered = entries.get(name);
      if (registered && !registered.loaded) return registered;
      const loading = loads.get(name) ?? load(name);
      loads.set(name, loading);
      // A missing module may be installed later.
      loading.catch(() => loads.delete(name));
      return loading;
    },
    list: () => [...entries.values()],
  };
}

/**
 * Creates the error for an unknown engine, with the known names and the nearest match. It never suggests installing the
 * name, because a misspelled name may belong to a malicious package.
 * @param canResolve whether packages and paths were searched
 */
function engineNotFound(
  name: string,
  known: readonly string[],
  looked: readonly EngineLocation[],
  canResolve: boolean,
): PalimpsestError {
  const scoped = name.startsWith('@') ? looked.find((location) => location.kind === 'package') : undefined;
  if (scoped) {
    const missing = packageName(scoped.specifier);
    const nearest = nearestName(name, known);
    return new PalimpsestError(
      'DEPENDENCY_MISSING',
      `The package "${missing}", named by context.engine, is not installed.${suggestName(nearest)} If the name is right and you trust its publisher, add it to the project's dependencies.`,
      { package: missing, known, nearest },
    );
  }
  const nearest = nearestName(name, known);
  if (looked.length === 1 && looked[0]!.kind === 'path')
    return new PalimpsestError(
      'ENGINE_UNKNOWN',
      `There is no engine module at the path "${name}". Paths are relative to the project; a folder needs a package.json with "exports" or "main", or an index file.`,
      { name, known, nearest },
    );
  const names = known.map((one) => `"${one}"`).join(', ');
  const places = looked.map(({ kind, specifier }) => (kind === 'package' ? `the package ${specifier}` : specifier));
  const elsewhere = places.length > 0 ? ` Nothing was found at ${list(places)} either.` : '';
  const resolver = canResolve
    ? ''
    : " Packages and paths were not searched: pass createRegistry({ resolve: nodeResolver() }), from '@palimpsest/registry/config'.";
  return new PalimpsestError(
    'ENGINE_UNKNOWN',
    `There is no context engine "${name}".${suggestName(nearest)} Known engines: ${names === '' ? 'none' : names}.${elsewhere}${resolver}`,
    { name, known, nearest },
  );
}

function list(items: readonly string[]): string {
  return items.length === 1 ? items[0]! : `${items.slice(0, -1).join(', ')} or ${items.at(-1)}`;
}
