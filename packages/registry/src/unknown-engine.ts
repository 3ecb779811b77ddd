import { PalimpsestError } from '@palimpsest/core';
import { type EngineLocation, packageName } from './engine-location.ts';
import { nearestName, suggestion } from './nearest-name.ts';

/**
 * The error for an engine that was found nowhere: a package that is not installed comes with the command that installs
 * it, anything else with the names that are known and the nearest of them.
 */
export function unknownEngine(
  name: string,
  known: readonly string[],
  looked: readonly EngineLocation[],
): PalimpsestError {
  const scoped = name.startsWith('@') ? looked.find((location) => location.kind === 'package') : undefined;
  if (scoped) {
    const missing = packageName(scoped.specifier);
    const command = `npm install ${missing}`;
    return new PalimpsestError(
      'DEPENDENCY_MISSING',
      `The package "${missing}", named by context.engine, is not installed. Install it: ${command}`,
      { package: missing, command },
    );
  }
  const nearest = nearestName(name, known);
  if (looked.length === 1 && looked[0]!.kind === 'path')
    return new PalimpsestError(
      'ENGINE_UNKNOWN',
      `There is no engine module at the path "${name}". Paths are relative to the project; a folder needs a package.json with "main", or an index file.`,
      { name, known, nearest },
    );
  const names = known.map((one) => `"${one}"`).join(', ');
  const places = looked.map(({ kind, specifier }) => (kind === 'package' ? `the package ${specifier}` : specifier));
  const elsewhere = places.length > 0 ? ` Nothing was found at ${list(places)} either.` : '';
  const isPackage = nearest === null && looked.some(({ kind, specifier }) => kind === 'package' && specifier === name);
  const install = isPackage ? ` If it is a package, install it: npm install ${packageName(name)}` : '';
  return new PalimpsestError(
    'ENGINE_UNKNOWN',
    `There is no context engine "${name}".${suggestion(nearest)} Known engines: ${names === '' ? 'none' : names}.${elsewhere}${install}`,
    { name, known, nearest },
  );
}

function list(items: readonly string[]): string {
  return items.length === 1 ? items[0]! : `${items.slice(0, -1).join(', ')} or ${items.at(-1)}`;
}
