import {
  type ContextEngine,
  type ContextEvent,
  type EngineHost,
  type EnginePlugin,
  PalimpsestError,
} from '@palimpsest/core';
import { builtInPlugins } from './built-in-plugins.ts';
import { type ContextConfig, parseContextConfig } from './context-config.ts';
import { type EngineCandidate, engineCandidate } from './engine-candidate.ts';
import { type EngineResolver, engineLocations } from './engine-location.ts';
import { nearestName } from './nearest-name.ts';
import { type OptionIssue, refuseOptions } from './option-issue.ts';
import { checkPlugin, pluginOf } from './plugin-check.ts';
import { checkPluginOptions } from './plugin-options.ts';
import { quarantine } from './quarantine.ts';
import { unknownEngine } from './unknown-engine.ts';
import type { Deadlines } from './watch.ts';

/** The engine that serves when the configuration names none. */
export const defaultEngine = 'compressor';

export interface RegistryOptions {
  /** Engines known from the start, besides the built-in ones. */
  readonly plugins?: readonly EnginePlugin[] | undefined;
  /** Engines of the house: trusted, so that they work on the messages themselves. @default builtInPlugins */
  readonly builtIns?: readonly EnginePlugin[] | undefined;
  /** What serves when the configuration says nothing about `fallback`. @default 'compressor', when it is known */
  readonly fallback?: string | false | undefined;
  /** Receives every event of every engine made here, besides the host's own `emit`. */
  readonly onEvent?: ((event: ContextEvent) => void) | undefined;
  /** Finds engines by package, path or folder. Without it only registered names are known. */
  readonly resolve?: EngineResolver | undefined;
  readonly deadlines?: Deadlines | undefined;
}

/** An engine a registry knows. */
export interface KnownEngine {
  readonly name: string;
  /** Where it comes from, for a person: `built in`, `plugins[0]`, or the module. */
  readonly source: string;
  readonly builtIn: boolean;
}

/** From configuration to exactly one engine. A value: two registries know nothing of each other. */
export interface Registry {
  /**
   * Makes an engine known by its name, before the first `create`.
   * @throws {PalimpsestError} `ENGINE_DUPLICATE`, `ENGINE_INVALID`, `ENGINE_INCOMPATIBLE`, `CONFIGURED_TOO_LATE`
   */
  register(plugin: EnginePlugin): void;
  /**
   * Finds the engine a name, package name or path means, and loads it when need be; it is then listed too.
   * @throws {PalimpsestError} `ENGINE_UNKNOWN`, `DEPENDENCY_MISSING`, `PATH_REFUSED`, `ENGINE_INVALID`,
   * `ENGINE_INCOMPATIBLE`, `ENGINE_DUPLICATE`
   */
  find(name: string): Promise<KnownEngine>;
  /**
   * Makes the one engine of a session: the configured one, behind the quarantine.
   * @param config what stands under `context`; nothing means the default engine with its defaults
   * @throws {PalimpsestError} `OPTION_INVALID`, with all problems at once, and what `find` throws
   */
  create(config: ContextConfig | undefined, host: EngineHost): Promise<ContextEngine>;
  /** The engines known by now, in the order in which they became known. */
  list(): readonly KnownEngine[];
}

interface Entry extends KnownEngine {
  readonly plugin: EnginePlugin;
  /** True for a module that the resolver brought. */
  readonly loaded: boolean;
}

/**
 * @example
 * const registry = createRegistry({ plugins: [myEngine] });
 * const engine = await registry.create({ engine: 'my-engine' }, createEngineHost());
 * @throws {PalimpsestError} `ENGINE_DUPLICATE`, `ENGINE_INVALID`, `ENGINE_INCOMPATIBLE`
 */
export function createRegistry(options: RegistryOptions = {}): Registry {
  const entries = new Map<string, Entry>();
  let frozen = false;

  const add = (plugin: EnginePlugin, source: string, builtIn: boolean, loaded = false): Entry => {
    checkPlugin(plugin, source);
    const other = entries.get(plugin.name);
    if (other && other.plugin !== plugin)
      throw new PalimpsestError(
        'ENGINE_DUPLICATE',
        `Two engines are called "${plugin.name}": one is ${other.source}, the other is ${source}. Give one of them another name.`,
        { name: plugin.name, sources: [other.source, source] },
      );
    const entry = other ?? { name: plugin.name, source, builtIn, plugin, loaded };
    entries.set(plugin.name, entry);
    return entry;
  };
  for (const plugin of options.builtIns ?? builtInPlugins) add(plugin, 'built in', true);
  options.plugins?.forEach((plugin, index) => {
    add(plugin, `plugins[${index}]`, false);
  });

  const find = async (name: string, isolate: 'none' | 'worker'): Promise<Entry> => {
    const known = entries.get(name);
    if (known && isolate === 'worker' && !known.builtIn && !known.loaded)
      refuseOptions([
        {
          path: 'context.isolate',
          message: `"worker" needs an engine that can be loaded again inside the worker; "${name}" was registered as an object. Name its package or path in context.engine instead.`,
        },
      ]);
    if (known) return known;
    const locations = engineLocations(name);
    for (const location of options.resolve ? locations : []) {
      const loaded = await options.resolve!(location, { isolate });
      if (loaded) return add(pluginOf(loaded.exports, loaded.source), loaded.source, false, true);
    }
    throw unknownEngine(name, [...entries.keys()], options.resolve ? locations : []);
  };

  const findFallback = async (config: ContextConfig, isolate: 'none' | 'worker'): Promise<Entry | false | null> => {
    const named = config.fallback ?? options.fallback;
    if (named === false) return false;
    return named === undefined ? (entries.get(defaultEngine) ?? null) : find(named, isolate);
  };

  return {
    register(plugin) {
      if (frozen)
        throw new PalimpsestError(
          'CONFIGURED_TOO_LATE',
          'register() was called after the first create(): sessions of one registry would know different engines. Register first, or make a new registry.',
          { method: 'register' },
        );
      add(plugin, `registered as number ${entries.size + 1}`, false);
    },
    async find(name) {
      return known(await find(name, 'none'));
    },
    async create(given, host) {
      frozen = true;
      const config = parseContextConfig(given);
      const isolate = config.isolate ?? 'none';
      const wanted = config.engine ?? defaultEngine;
      const entry = await find(wanted, isolate);
      const fallback = await findFallback(config, isolate);
      const told = withListener(host, options.onEvent);
      const issues: OptionIssue[] = misspelled(config, [...entries.keys()]);
      const prepare = async (used: Entry, alias?: string): Promise<EngineCandidate> => {
        const key = alias !== undefined && config.engines?.[used.name] === undefined ? alias : used.name;
        const checked = await checkPluginOptions(used.plugin, config.engines?.[key], key);
        issues.push(...checked.issues);
        return engineCandidate(used.plugin, told, {
          options: checked.options,
          trusted: used.builtIn,
          deadlines: options.deadlines,
        });
      };
      const first = await prepare(entry, wanted);
      const second = fallback && fallback !== entry ? await prepare(fallback, config.fallback || undefined) : null;
      refuseOptions(issues);
      return quarantine(second ? [first, second] : [first], {
        host: told,
        exhausted: fallback === false ? 'throw' : 'pass-through',
      });
    },
    list: () => [...entries.values()].map(known),
  };
}

function known({ name, source, builtIn }: Entry): KnownEngine {
  return { name, source, builtIn };
}

/** Sections of options that belong to no known engine but look like one that is. */
function misspelled(config: ContextConfig, known: readonly string[]): OptionIssue[] {
  const mine = [...known, config.engine, config.fallback];
  return Object.keys(config.engines ?? {}).flatMap((key) => {
    const nearest = mine.includes(key) ? null : nearestName(key, known);
    if (nearest === null) return [];
    return [
      {
        path: `context.engines[${JSON.stringify(key)}]`,
        message: `no engine is called that. Did you mean "${nearest}"?`,
      },
    ];
  });
}

/** The host with a second listener. What a listener throws is lost: telling must not break what is told of. */
function withListener(host: EngineHost, listener: RegistryOptions['onEvent']): EngineHost {
  const tell = (event: ContextEvent, to: ((event: ContextEvent) => void) | undefined): void => {
    try {
      to?.(event);
    } catch {
      // The contract of `emit` says it does not throw; an engine should not pay when it does.
    }
  };
  return {
    ...host,
    emit(event) {
      tell(event, (told) => host.emit(told));
      tell(event, listener);
    },
  };
}
