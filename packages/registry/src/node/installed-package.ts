import { existsSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { join } from 'node:path';
import { PalimpsestError } from '@palimpsest/core';
import { createJiti } from 'jiti';
import { packageName } from '../engines/engine-location.ts';

/**
 * Resolves a package name to the URL of its module, by Node's rules for an `import` in `directory`. Returns `null` when
 * the package is not installed.
 * @throws {PalimpsestError} `ENGINE_INVALID` when it is installed but has no such entry point
 */
export function installedPackage(specifier: string, directory: string): string | null {
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
