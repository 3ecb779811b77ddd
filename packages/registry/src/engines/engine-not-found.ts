import { PalimpsestError } from '@palimpsest/core';
import { nearestName, suggestName } from '@palimpsest/core/authoring';
import { type EngineLocation, packageName } from './engine-location.ts';

/**
 * Creates the error for an unknown engine, with the known names and the nearest match. It never suggests installing the
 * name, because a misspelled name may belong to a malicious package.
 * @param canResolve whether packages and paths were searched
 */
export function engineNotFound(
  name: string,
  known: readonly string[],
  looked: readonly EngineLocation[],
  canResolve: boolean,
): PalimpsestError {
  const scoped = name.startsWith('@') ? looked.find((location) => location.kind === 'package') : undefined;
  if (scoped) {
    const missing = packageName(scoped.specifier);
    const nearest = nearestName(name, known);
    return new PalimpsestError(
      'DEPENDENCY_MISSING',
      `The package "${missing}", named by context.engine, is not installed.${suggestName(nearest)} If the name is right and you trust its publisher, add it to the project's dependencies.`,
      { package: missing, known, nearest },
    );
  }
  const nearest = nearestName(name, known);
  if (looked.length === 1 && looked[0]!.kind === 'path')
    return new PalimpsestError(
      'ENGINE_UNKNOWN',
      `There is no engine module at the path "${name}". Paths are relative to the project; a folder needs a package.json with "exports" or "main", or an index file.`,
      { name, known, nearest },
    );
  const names = known.map((one) => `"${one}"`).join(', ');
  const places = looked.map(({ kind, specifier }) => (kind === 'package' ? `the package ${specifier}` : specifier));
  const elsewhere = places.length > 0 ? ` Nothing was found at ${list(places)} either.` : '';
  const resolver = canResolve
    ? ''
    : " Packages and paths were not searched: pass createRegistry({ resolve: nodeResolver() }), from '@palimpsest/registry/config'.";
  return new PalimpsestError(
    'ENGINE_UNKNOWN',
    `There is no context engine "${name}".${suggestName(nearest)} Known engines: ${names === '' ? 'none' : names}.${elsewhere}${resolver}`,
    { name, known, nearest },
  );
}

function list(items: readonly string[]): string {
  return items.length === 1 ? items[0]! : `${items.slice(0, -1).join(', ')} or ${items.at(-1)}`;
}
