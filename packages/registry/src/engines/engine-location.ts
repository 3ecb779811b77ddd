/** A place where an engine may be found. */
export interface EngineLocation {
  readonly kind: 'package' | 'path' | 'folder';
  /** A package name, or a path relative to the project (absolute only if it was configured so). */
  readonly specifier: string;
}

/** A module found at a location. */
export interface LoadedEngine {
  /** The place, for error messages. */
  readonly source: string;
  /** The module's exports. */
  readonly exports: unknown;
}

/**
 * Finds and loads modules for the registry, which has no dynamic imports itself. Returns `null` when there is nothing at
 * the location; rejects when the module cannot be loaded or is not allowed. `nodeResolver` of
 * `@palimpsest/registry/config` is the one for Node.
 */
export type EngineResolver = (location: EngineLocation) => Promise<LoadedEngine | null>;

const segment = '[A-Za-z0-9~_-][\\w.~-]*';
const packagePattern = new RegExp(`^(?:@${segment}/)?${segment}(?:/${segment})*$`);
const bareName = new RegExp(`^${segment}$`);

/**
 * Lists where to look for an unregistered engine, in order: `@palimpsest/<name>`, the package of that name, the path, the
 * folder `plugins/context-engine/<name>/`. A name that begins with `.`, `/`, a drive or `file:` is always a path. A name
 * that is not a valid package name is never treated as one, so it cannot refer to a URL or a built-in module.
 */
export function engineLocations(name: string): EngineLocation[] {
  if (/^(?:\.{1,2}(?:[\\/]|$)|[\\/]|[A-Za-z]:[\\/]|file:)/.test(name)) return [{ kind: 'path', specifier: name }];
  const locations: EngineLocation[] = [];
  const bare = bareName.test(name);
  if (bare) locations.push({ kind: 'package', specifier: `@palimpsest/${name}` });
  if (packagePattern.test(name)) locations.push({ kind: 'package', specifier: name });
  if (/[\\/]|\.[cm]?[jt]s$/.test(name) && !/^[a-z][a-z0-9+.-]*:/i.test(name))
    locations.push({ kind: 'path', specifier: name });
  if (bare) locations.push({ kind: 'folder', specifier: `plugins/context-engine/${name}` });
  return locations;
}

/** Returns the package of a specifier: `@acme/engine` for `@acme/engine/sub`. */
export function packageName(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}
