/** Where an engine might be, and how to say so. */
export interface EngineLocation {
  readonly kind: 'package' | 'path' | 'folder';
  /** A package name, or a path relative to the project (absolute only when that is how it was given). */
  readonly specifier: string;
}

/** A module found at a location. */
export interface LoadedEngine {
  /** Names the place for a person. */
  readonly source: string;
  /** What the module exports. */
  readonly exports: unknown;
}

/** Where the code of a loaded engine runs: in this process, or in a worker thread that can be killed. */
export type Isolation = 'none' | 'worker';

/**
 * Finds and loads modules for the registry, whose own code imports nothing dynamically. `null` when there is nothing at
 * the location; rejects when there is something that cannot be loaded or may not be. `@palimpsest/registry/config` has
 * one for Node.
 */
export type EngineResolver = (
  location: EngineLocation,
  options: { readonly isolate: Isolation },
) => Promise<LoadedEngine | null>;

const segment = '[A-Za-z0-9~_-][\\w.~-]*';
const packagePattern = new RegExp(`^(?:@${segment}/)?${segment}(?:/${segment})*$`);
const bareName = new RegExp(`^${segment}$`);

/**
 * Where to look for an engine nobody registered, in order: `@palimpsest/<name>`, the package of that name, the path, the
 * folder `plugins/context-engine/<name>/`. What begins with `.`, `/`, a drive or `file:` can only be a path; what does not
 * look like a package name is never taken for one, so that no URL or built-in module can be named.
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

/** The package a specifier belongs to: `@acme/engine/sub` is part of `@acme/engine`. */
export function packageName(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}
