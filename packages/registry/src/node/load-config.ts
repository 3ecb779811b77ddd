import { basename, resolve } from 'node:path';
import { PalimpsestError } from '@palimpsest/core';
import {
  type ContextConfig,
  contextKeys,
  type PalimpsestConfig,
  parseContextConfig,
} from '../config/context-config.ts';
import { type OptionIssue, refuseOptions } from '../config/option-issue.ts';
import { nearestName, suggestion } from '../engines/nearest-name.ts';
import { configFileNames, findConfigFile, readConfigFile } from './config-file.ts';

export interface LoadConfigOptions {
  /** The project. @default process.cwd() */
  readonly cwd?: string | undefined;
  /** A file to read instead of the project's `palimpsest.config.*`: any YAML, JSON, JS or TS file with a key `context`. Relative to `cwd`. */
  readonly file?: string | undefined;
  /** @default process.env */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}

export interface LoadedConfig {
  /** Checked, with the environment applied; for `registry.create`. */
  readonly context: ContextConfig;
  /** The file it comes from; `null` when there is none and everything is as by default. */
  readonly file: string | null;
}

/** Types a configuration; returns it as it is. */
export function defineConfig(config: PalimpsestConfig): PalimpsestConfig {
  return config;
}

/**
 * Reads the configuration of a project. `PALIMPSEST_ENGINE` in the environment overrides `context.engine`. Engine options
 * are checked later, by the engine's own schema, in `registry.create`.
 *
 * A file in TypeScript or JavaScript is run.
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
      `The configuration file ${file} holds ${Array.isArray(content) ? 'a list' : `a ${typeof content}`} where an object with the key "context" is expected.`,
      { file },
    );
  const isOurs = configFileNames.includes(basename(file));
  const hasContext = Object.hasOwn(content, 'context');
  const misplaced = Object.keys(content).flatMap((key) => topLevelIssue(key, isOurs, hasContext));
  refuseOptions(misplaced, file);
  return parseContextConfig((content as { context?: unknown }).context, file);
}

/** In our own file every other key is a mistake; in somebody else's only one that was meant to be `context`. */
function topLevelIssue(key: string, isOurs: boolean, hasContext: boolean): OptionIssue[] {
  if (key === 'context' || key === '$schema') return [];
  const nearest = nearestName(key, ['context']);
  if (isOurs && contextKeys.includes(key))
    return [{ path: key, message: `there is no such option. Did you mean "context.${key}"?` }];
  if (isOurs) return [{ path: key, message: `there is no such option.${suggestion(nearest)} Known: context.` }];
  return nearest === null || hasContext
    ? []
    : [{ path: key, message: `there is no such option.${suggestion(nearest)}` }];
}
