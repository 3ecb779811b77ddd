import { type ContextEngine, type ContextEvent, type EngineHost, PalimpsestError } from '@palimpsest/core';
import {
  anyRule,
  checkOptions,
  describeValue,
  type EnginePlugin,
  functionRule,
  groupRule,
  listRule,
  type OptionRule,
  type RulesOf,
  textRule,
} from '@palimpsest/core/authoring';
import { type EngineChoice, fallbackRule } from './config/context-config.ts';
import { createConfigured } from './configured-engine.ts';
import { builtInPlugins } from './engines/built-in-plugins.ts';
import type { Deadlines } from './engines/deadline.ts';
import type { EngineResolver } from './engines/engine-location.ts';
import { createKnownEngines, type EngineEntry, type KnownEngine } from './engines/known-engines.ts';
import { maskError } from './failure-reason.ts';

export interface RegistryOptions {
  /** Engines in addition to the built-in ones. */
  readonly plugins?: readonly EnginePlugin[] | undefined;
  /** The engines that are known from the start. @default builtInPlugins */
  readonly builtIns?: readonly EnginePlugin[] | undefined;
  /** Fallback when the configuration does not set one. @default 'compressor', if it is known */
  readonly fallback?: string | false | undefined;
  /** Called with every event of every engine, in addition to the host's own `emit`. */
  readonly onEvent?: ((event: ContextEvent) => void) | undefined;
  /** Finds engines by package, path or folder. Without it, only registered names are known. */
  readonly resolve?: EngineResolver | undefined;
  /** How long a call of an engine may take. */
  readonly deadlines?: Deadlines | undefined;
  /** The file that the configurations are from: `file` of `loadConfig`. Errors about options name it. @default none */
  readonly configFile?: string | undefined;
}

/** Creates engines from configurations. Registries share no state. */
export interface Registry {
  /**
   * Registers an engine under its name. Must be called before the first `create`.
   * @throws {PalimpsestError} `ENGINE_DUPLICATE`, `ENGINE_INVALID`, `ENGINE_INCOMPATIBLE`, `CONFIGURED_TOO_LATE`
   */
  register(plugin: EnginePlugin): void;
  /**
   * Finds an engine by name, package or path. Loads it if necessary, and adds it to `list`.
   * @throws {PalimpsestError} `ENGINE_UNKNOWN`, `DEPENDENCY_MISSING`, `PATH_REFUSED`, `ENGINE_INVALID`,
   * `ENGINE_INCOMPATIBLE`, `ENGINE_DUPLICATE`
   */
  find(name: string): Promise<KnownEngine>;
  /**
   * Creates the configured engine for one session. If it fails, its fallback replaces it for the rest of the session.
   * @param config the engine's name, or the value of `context`. @default the default engine with default options
   * @throws {PalimpsestError} `OPTION_INVALID` with all problems at once, `ENGINE_FAILED` when the engine or its fallback
   * cannot be created, and the errors of `find`
   */
  create(config: EngineChoice['engine'], host: EngineHost): Promise<ContextEngine>;
  /** Lists the known engines in the order of their registration or loading. */
  list(): readonly KnownEngine[];
}

/** `Infinity` switches a deadline off. */
const deadlineRule: OptionRule = {
  expected: 'milliseconds, 0 or more',
  isValid: (value) => typeof value === 'number' && value >= 0,
  describe: describeValue,
  isRequired: true,
};
const plugins = listRule(anyRule, 'a list of engine plugins');
const rules: RulesOf<RegistryOptions> = {
  plugins,
  builtIns: plugins,
  fallback: fallbackRule,
  onEvent: functionRule,
  resolve: functionRule,
  deadlines: groupRule({ stallMs: deadlineRule, totalMs: deadlineRule }),
  configFile: textRule,
};

/**
 * Creates a registry of context engines.
 * @example
 * const registry = createRegistry({ plugins: [myEngine] });
 * const engine = await registry.create({ engine: 'my-engine' }, createEngineHost());
 * @throws {PalimpsestError} `OPTION_INVALID` for an unknown option, `ENGINE_DUPLICATE`, `ENGINE_INVALID`, `ENGINE_INCOMPATIBLE`
 */
export function createRegistry(options: RegistryOptions = {}): Registry {
  checkOptions('createRegistry', options, rules);
  const engines = createKnownEngines(options.resolve);
  let frozen = false;
  for (const plugin of options.builtIns ?? builtInPlugins) engines.add(plugin, 'built in', true);
  options.plugins?.forEach((plugin, index) => {
    engines.add(plugin, `plugins[${index}]`, false);
  });

  return {
    register(plugin) {
      if (frozen)
        throw new PalimpsestError(
          'CONFIGURED_TOO_LATE',
          'register() was called after the first create(): sessions of one registry would know different engines. Register all engines first, or create a new registry.',
          { method: 'register' },
        );
      engines.add(plugin, `registered as number ${engines.list().length + 1}`, false);
    },
    async find(name) {
      return toKnownEngine(await engines.find(name));
    },
    async create(given, host) {
      frozen = true;
      try {
        return await createConfigured(engines, given, host, options);
      } catch (error) {
        // The host's redactor may know secrets that the default one does not.
        throw maskError(error, (text) => host.redact(text));
      }
    },
    list: () => engines.list().map(toKnownEngine),
  };
}

function toKnownEngine({ name, source, builtIn }: EngineEntry): KnownEngine {
  return { name, source, builtIn };
}
