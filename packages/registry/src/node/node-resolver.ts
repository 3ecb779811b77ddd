import { existsSync } from 'node:fs';
import { readFile, realpath, stat } from 'node:fs/promises';
import { createRequire, isBuiltin } from 'node:module';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { PalimpsestError } from '@palimpsest/core';
import { checkOptions, switchRule, textRule } from '@palimpsest/core/authoring';
import { redact } from '@palimpsest/redactor';
import { createJiti } from 'jiti';
import { type EngineLocation, type EngineResolver, packageName } from '../engines/engine-location.ts';
import { failureReason, maskError } from '../failure-reason.ts';
import { loadModule } from './module-loader.ts';

const extensions = ['.ts', '.mts', '.js', '.mjs', '.cjs', '.cts'];

/** Conditions of `exports` that hold for an `import` in Node. */
const conditions = ['node', 'import', 'module-sync', 'default', 'require'];

export interface NodeResolverOptions {
  /** The project folder. Packages are resolved from it; paths are relative to it and must stay inside. @default process.cwd() */
  readonly directory?: string | undefined;
  /** Allow paths outside the project. A configuration file cannot set this. @default false */
  readonly allowOutside?: boolean | undefined;
}

/**
 * Creates a resolver that finds engines as Node finds modules: packages in `node_modules`, files and folders of the
 * project. Loading a module runs its code.
 */
export function nodeResolver(options: NodeResolverOptions = {}): EngineResolver {
  checkOptions('nodeResolver', options, { directory: textRule, allowOutside: switchRule });
  const { directory = process.cwd(), allowOutside = false } = options;
  const root = resolve(directory);
  return async (location) => {
    const source = location.kind === 'package' ? `the package ${location.specifier}` : location.specifier;
    const url = await find(location, root, allowOutside);
    if (url === null) return null;
    try {
      return { source, exports: await loadModule(url) };
    } catch (error) {
      throw new PalimpsestError(
        'ENGINE_INVALID',
        `The engine module "${location.specifier}" was found but cannot be loaded: ${failureReason(error, redact)}`,
        { source },
        { cause: maskError(error, redact) },
      );
    }
  };
}

async function find(location: EngineLocation, root: string, allowOutside: boolean): Promise<string | null> {
  if (location.kind === 'package') return findPackage(location.specifier, root);
  const path = await projectPath(location.specifier, root, allowOutside);
  const file = path === null ? null : await entryFile(path);
  // The entry file of a folder must be inside the project, too.
  const confined = file === null ? null : await projectPath(file, root, allowOutside);
  return confined === null ? null : pathToFileURL(confined).href;
}

/**
 * Returns the module file for a path: the file itself, or for a folder the entry that its `package.json` names in `exports`
 * or `main`, or its `index`.
 */
async function entryFile(path: string): Promise<string | null> {
  if (!(await stat(path)).isDirectory()) return path;
  const { exports, main } = await manifestOf(path);
  const names = [resolveExports(exports), main, ...extensions.map((extension) => `index${extension}`)];
  for (const name of names) {
    if (typeof name !== 'string') continue;
    const file = await realpath(join(path, name)).catch(() => null);
    if (file !== null && (await stat(file)).isFile()) return file;
  }
  return null;
}

/** The file that `exports` names for the package itself. The first condition that holds counts, as in Node. */
function resolveExports(exports: unknown): string | null {
  if (typeof exports === 'string') return exports;
  if (typeof exports !== 'object' || exports === null) return null;
  for (const [key, value] of Object.entries(exports)) {
    const found = key === '.' || conditions.includes(key) ? resolveExports(value) : null;
    if (found !== null) return found;
  }
  return null;
}

async function manifestOf(folder: string): Promise<{ readonly exports?: unknown; readonly main?: unknown }> {
  try {
    return Object(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')));
  } catch {
    return {};
  }
}

/**
 * Resolves a package name to the URL of its module, by Node's rules for an `import` in `directory`. Returns `null` when
 * the package is not installed.
 * @throws {PalimpsestError} `ENGINE_INVALID` when it is installed but has no such entry point
 */
function findPackage(specifier: string, directory: string): string | null {
  if (isBuiltin(specifier)) return null;
  const from = join(directory, 'palimpsest.config.js');
  const name = packageName(specifier);
  const places = createRequire(from).resolve.paths(name) ?? [];
  const installed = places.some((place) => existsSync(join(place, name)));
  if (!installed) return null;
  try {
    return createJiti(from, { fsCache: false }).esmResolve(specifier);
  } catch (error) {
    throw new PalimpsestError(
      'ENGINE_INVALID',
      `The package "${specifier}" is installed, but it has no entry point that can be imported: ${(error as Error).message.split('\n')[0]}. Reinstall it, or build it if it is yours.`,
      { source: specifier },
    );
  }
}

/**
 * Returns the real path of a file or folder, or `null` when it does not exist. Symbolic links are resolved before the
 * check, so that no link leads out of the project.
 * @throws {PalimpsestError} `PATH_REFUSED` when the path is outside `directory` and `allowOutside` is false
 */
async function projectPath(path: string, directory: string, allowOutside: boolean): Promise<string | null> {
  const wanted = resolve(directory, path.startsWith('file:') ? fileURLToPath(path) : path);
  // Checked before the file system is read, so that the error does not reveal which files exist outside.
  if (!allowOutside) refuseOutside(wanted, resolve(directory), path);
  const [real, root] = await Promise.all([realpath(wanted).catch(() => null), realpath(directory)]);
  if (real !== null && !allowOutside) refuseOutside(real, root, path);
  return real;
}

function refuseOutside(path: string, directory: string, written: string): void {
  const way = relative(directory, path);
  if (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)) return;
  throw new PalimpsestError(
    'PATH_REFUSED',
    `The path "${written}" is outside the project (${directory}). A configuration can load only files inside the project. To allow other paths, pass allowOutside: true to nodeResolver().`,
    { path: written },
  );
}
