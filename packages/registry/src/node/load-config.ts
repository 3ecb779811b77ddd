import { basename, resolve } from 'node:path';
import { PalimpsestError } from '@palimpsest/core';
import {
  checkOptions,
  functionRule,
  isRecord,
  nearestName,
  type OptionIssue,
  type RulesOf,
  suggestName,
  textRule,
} from '@palimpsest/core/authoring';
import {
  type ContextConfig,
  contextKeys,
  type PalimpsestConfig,
  parseContextConfig,
} from '../config/context-config.ts';
import { refuseOptions } from '../config/option-issue.ts';
import { builtInPlugins } from '../engines/built-in-plugins.ts';
import {
  type CodePermission,
  type ConfigFile,
  configFileNames,
  findConfigFile,
  readConfigFile,
} from './config-file.ts';

export interface LoadConfigOptions {
  /** The project folder. @default process.cwd() */
  readonly cwd?: string | undefined;
  /** A file to read instead of the project's `palimpsest.config.*`: any YAML, JSON, JS or TS file with a key `context`. Relative to `cwd`. */
  readonly file?: string | undefined;
  /** @default process.env */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /**
   * Decides whether the project's `palimpsest.config.*` may run code. It is called before a JavaScript or TypeScript file
   * is executed, and for a data file with an engine that is not built in, which is a module. If it resolves to false, the
   * file is ignored. It is not called for a file that `file` names. @default every file may
   */
  readonly mayRunCode?: ((file: string) => Promise<boolean>) | undefined;
}

const rules: RulesOf<LoadConfigOptions> = {
  cwd: textRule,
  file: textRule,
  env: { expected: 'an object of environment variables', isValid: isRecord },
  mayRunCode: functionRule,
};

export interface LoadedConfig {
  /** The validated configuration for `registry.create`, with environment variables applied. */
  readonly context: ContextConfig;
  /** The file that was read; `null` if there is none, and the defaults apply. */
  readonly file: string | null;
}

/** Returns the configuration unchanged; adds type checking to a configuration file. */
export function defineConfig(config: PalimpsestConfig): PalimpsestConfig {
  return config;
}

/**
 * Reads the configuration of a project. The environment variable `PALIMPSEST_ENGINE` overrides `context.engine`. Engine
 * options are validated later, by the engine's own schema, in `registry.create`.
 *
 * TypeScript and JavaScript files are executed.
 * @throws {PalimpsestError} `CONFIG_INVALID` when a file cannot be read, `OPTION_INVALID` with all problems at once
 */
export async function loadConfig(options: LoadConfigOptions = {}): Promise<LoadedConfig> {
  checkOptions('loadConfig', options, rules);
  const directory = resolve(options.cwd ?? process.cwd());
  const { context, file } =
    options.file === undefined
      ? await findConfig(directory, options.mayRunCode ?? (async () => true))
      : validate(await readConfigFile(resolve(directory, options.file)));
  const engine = (options.env ?? process.env).PALIMPSEST_ENGINE?.trim();
  return { context: engine ? { ...context, engine } : context, file };
}

const noConfig: LoadedConfig = { context: {}, file: null };

/** The configuration in a folder. */
async function findConfig(directory: string, mayRunCode: CodePermission): Promise<LoadedConfig> {
  let permission: Promise<boolean> | null = null;
  const askOnce: CodePermission = (file) => {
    permission ??= mayRunCode(file);
    return permission;
  };
  const read = await findConfigFile(directory, askOnce);
  if (read === null) return noConfig;
  const config = validate(read);
  return !namesModule(config.context) || (await askOnce(read.file)) ? config : noConfig;
}

/** True if an engine is not built in: then it is a module, whose code runs when the engine is created. */
function namesModule({ engine, fallback }: ContextConfig): boolean {
  return [engine, fallback].some(
    (name) => typeof name === 'string' && !builtInPlugins.some((plugin) => plugin.name === name),
  );
}

function validate({ content, file }: ConfigFile): LoadedConfig {
  return { context: contextOf(content, file), file };
}

function contextOf(content: unknown, file: string): ContextConfig {
  if (content === undefined || content === null) return {};
  if (typeof content !== 'object' || Array.isArray(content))
    throw new PalimpsestError(
      'CONFIG_INVALID',
      `The configuration file ${file} contains ${Array.isArray(content) ? 'a list' : `a ${typeof content}`}; expected an object with the key "context".`,
      { file },
    );
  const isOurs = configFileNames.includes(basename(file));
  const hasContext = Object.hasOwn(content, 'context');
  const misplaced = Object.keys(content).flatMap((key) => topLevelIssue(key, isOurs, hasContext));
  refuseOptions(misplaced, file);
  return parseContextConfig((content as { context?: unknown }).context, file);
}

/** In our own file every other key is an error; in a shared file only a misspelled `context` is. */
function topLevelIssue(key: string, isOurs: boolean, hasContext: boolean): OptionIssue[] {
  if (key === 'context' || key === '$schema') return [];
  const nearest = nearestName(key, ['context']);
  if (isOurs && contextKeys.includes(key))
    return [{ path: key, message: `unknown option. Did you mean "context.${key}"?` }];
  if (isOurs) return [{ path: key, message: `unknown option.${suggestName(nearest)} Known: context.` }];
  return nearest === null || hasContext ? [] : [{ path: key, message: `unknown option.${suggestName(nearest)}` }];
}
