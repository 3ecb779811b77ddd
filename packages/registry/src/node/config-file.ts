import { extname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PalimpsestError } from '@palimpsest/core';
import { redact } from '@palimpsest/redactor';
import { type Loaders, lilconfig } from 'lilconfig';
import { failureReason } from '../failure-reason.ts';
import { parseJson, parseYaml } from './config-text.ts';
import { loadModule } from './module-loader.ts';

/** A parsed configuration file, not validated yet. */
export interface ConfigFile {
  readonly file: string;
  readonly content: unknown;
}

/** Accepted names of a project's configuration file. The first existing one is used. */
export const configFileNames: readonly string[] = ['ts', 'mts', 'js', 'mjs', 'cjs', 'json', 'yaml', 'yml'].map(
  (extension) => `palimpsest.config.${extension}`,
);

/** Decides whether a file may run code. */
export type CodePermission = (file: string) => Promise<boolean>;

const dataLoaders: Loaders = {
  '.json': (file, text) => parseFile(file, () => parseJson(text)),
  '.yaml': (file, text) => parseFile(file, () => parseYaml(text)),
  '.yml': (file, text) => parseFile(file, () => parseYaml(text)),
};

const moduleLoaders: Loaders = Object.fromEntries(
  ['.ts', '.mts', '.cts', '.js', '.mjs', '.cjs'].map((extension) => [extension, runFile]),
);

const loaders: Loaders = { ...dataLoaders, ...moduleLoaders };

/** The content of a file that may not be executed. */
const ignored = Symbol('ignored');

/**
 * Reads the project's configuration file. Only `directory` itself is searched.
 * @param mayRunCode asked before a module is executed
 * @returns `null` if there is none, or it may not be executed
 */
export async function findConfigFile(directory: string, mayRunCode: CodePermission): Promise<ConfigFile | null> {
  const runIfPermitted = async (file: string): Promise<unknown> => ((await mayRunCode(file)) ? runFile(file) : ignored);
  const asking = Object.fromEntries(Object.keys(moduleLoaders).map((extension) => [extension, runIfPermitted]));
  const found = await searcher(directory, { ...dataLoaders, ...asking }).search(directory);
  return found && found.config !== ignored ? { file: found.filepath, content: found.config } : null;
}

/**
 * Reads the given configuration file.
 * @throws {PalimpsestError} `CONFIG_INVALID`
 */
export async function readConfigFile(file: string): Promise<ConfigFile> {
  if (!Object.hasOwn(loaders, extname(file)))
    throw new PalimpsestError(
      'CONFIG_INVALID',
      `The configuration file ${file} has an unsupported extension. Use one of: ${Object.keys(loaders).join(', ')}.`,
      { file },
    );
  try {
    const found = await searcher(undefined, loaders).load(file);
    return { file, content: found?.config };
  } catch (error) {
    if (PalimpsestError.is(error)) throw error;
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw new PalimpsestError(
      'CONFIG_INVALID',
      missing
        ? `There is no configuration file ${file}.`
        : `The configuration file ${file} cannot be read: ${failureReason(error, redact)}`,
      { file },
    );
  }
}

function searcher(stopDir: string | undefined, by: Loaders): ReturnType<typeof lilconfig> {
  return lilconfig('palimpsest', {
    searchPlaces: [...configFileNames],
    loaders: by,
    cache: false,
    ignoreEmptySearchPlaces: false,
    ...(stopDir === undefined ? {} : { stopDir }),
  });
}

async function runFile(file: string): Promise<unknown> {
  const module = await parseFile(file, () => loadModule(pathToFileURL(file).href));
  const once = defaultOf(module);
  return defaultOf(once) ?? once ?? module;
}

function defaultOf(module: unknown): unknown {
  return typeof module === 'object' && module !== null && 'default' in module ? module.default : undefined;
}

async function parseFile(file: string, parse: () => unknown): Promise<unknown> {
  try {
    return await parse();
  } catch (error) {
    throw new PalimpsestError(
      'CONFIG_INVALID',
      `The configuration file ${file} cannot be read: ${failureReason(error, redact)}`,
      { file },
    );
  }
}
