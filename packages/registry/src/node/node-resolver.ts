import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PalimpsestError } from '@palimpsest/core';
import { redact } from '@palimpsest/redactor';
import type { EngineLocation, EngineResolver } from '../engines/engine-location.ts';
import { failureReason, maskedError } from '../failure-reason.ts';
import { entryFile } from './entry-file.ts';
import { installedPackage } from './installed-package.ts';
import { loadModule } from './module-loader.ts';
import { projectPath } from './project-path.ts';

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
        { cause: maskedError(error, redact) },
      );
    }
  };
}

async function find(location: EngineLocation, root: string, allowOutside: boolean): Promise<string | null> {
  if (location.kind === 'package') return installedPackage(location.specifier, root);
  const path = await projectPath(location.specifier, root, allowOutside);
  const file = path === null ? null : await entryFile(path);
  // The entry file of a folder must be inside the project, too.
  const confined = file === null ? null : await projectPath(file, root, allowOutside);
  return confined === null ? null : pathToFileURL(confined).href;
}
