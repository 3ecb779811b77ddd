import { basename, resolve } from 'node:path';
import { PalimpsestError } from '@palimpsest/core';
import { nearestName, type OptionIssue, suggestName } from '@palimpsest/core/authoring';
import {
  type ContextConfig,
  contextKeys,
  type PalimpsestConfig,
  parseContextConfig,
} from '../config/context-config.ts';
import { refuseOptions } from '../config/option-issue.ts';
import { configFileNames, findConfigFile, readConfigFile } from './config-file.ts';

export interface LoadConfigOptions {
  /** The project folder. @default process.cwd() */
  readonly cwd?: string | undefined;
  /** A file to read instead of the project's `palimpsest.config.*`: any YAML, JSON, JS or TS file with a key `context`. Relative to `cwd`. */
  readonly file?: string | undefined;
  /** @default process.env */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}

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
  const directory = resolve(options.cwd ?? process.cwd());
  const read =
    options.file === undefined
      ? await findConfigFile(directory)
      : await readConfigFile(resolve(directory, options.file));
  const context = read === null ? {} : contextOf(read.content, read.file);
  const engine = (options.env ?? process.env).PALIMPSEST_ENGINE?.trim();
  return { context: engine ? { ...context, engine } : context, file: read?.file ?? null };
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
