import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PalimpsestError } from '@palimpsest/core';
import { redact } from '@palimpsest/redactor';
import { failureReason } from '../border/failure-reason.ts';
import { maskedCause, maskedError } from '../border/masked-error.ts';
import type { EngineLocation, EngineResolver } from '../engines/engine-location.ts';
import { entryFile } from './entry-file.ts';
import { installedPackage } from './installed-package.ts';
import { loadModule } from './module-loader.ts';
import { projectPath } from './project-path.ts';
import type { WorkerOptions } from './worker-connection.ts';

export interface NodeResolverOptions {
  /** The project folder. Packages are resolved from it; paths are relative to it and must stay inside. @default process.cwd() */
  readonly directory?: string | undefined;
  /** Allow paths outside the project. A configuration file cannot set this. @default false */
  readonly allowOutside?: boolean | undefined;
  /** `worker` runs every engine loaded here in a worker thread, whatever the configuration is. @default the value of `context.isolate` */
  readonly isolate?: 'worker' | undefined;
  readonly worker?: WorkerOptions | undefined;
}

/**
 * Creates a resolver that finds engines as Node finds modules: packages in `node_modules`, files and folders of the
 * project. Loading a module runs its code in this process, unless it is isolated in a worker.
 */
export function nodeResolver(options: NodeResolverOptions = {}): EngineResolver {
  const { directory = process.cwd(), allowOutside = false } = options;
  const root = resolve(directory);
  return async (location, { isolate }) => {
    const source = location.kind === 'package' ? `the package ${location.specifier}` : location.specifier;
    const url = await find(location, root, allowOutside);
    if (url === null) return null;
    try {
      if (isolate === 'none' && options.isolate === undefined) return { source, exports: await loadModule(url) };
      const { workerPlugin } = await import('./worker-plugin.ts');
      return { source, exports: { default: await workerPlugin(url, options.worker) } };
    } catch (error) {
      if (PalimpsestError.is(error)) throw maskedError(error, redact);
      throw new PalimpsestError(
        'ENGINE_INVALID',
        `The engine module "${location.specifier}" was found but cannot be loaded: ${failureReason(error, redact)}`,
        { source },
        { cause: maskedCause(error, redact) },
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
