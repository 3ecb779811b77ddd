import { PalimpsestError } from '@palimpsest/core';
import type { Registry } from '@palimpsest/registry';

/** An engine that a user named. */
export interface FoundEngine {
  /** The name of its plugin. */
  readonly name: string;
  /** The name, package or path by which the registry finds it. */
  readonly reference: string;
}

/**
 * Finds an engine by name, package or path, as the registry does. Otherwise, looks for one of the project's own engines by
 * the name of its plugin, as `palimpsest engines` lists it: the plugin in `palimpsest-engine-tidy` may be called `tidy`.
 * @param own returns the project's own engines, by package, path or folder
 * @throws {PalimpsestError} as `registry.find`
 */
export async function findEngine(
  registry: Registry,
  name: string,
  own: () => Promise<readonly string[]>,
): Promise<FoundEngine> {
  try {
    return { name: (await registry.find(name)).name, reference: name };
  } catch (error) {
    if (!PalimpsestError.is(error)) throw error;
    for (const reference of await own()) {
      const engine = await registry.find(reference).catch(() => null);
      if (engine?.name === name) return { name, reference };
    }
    throw error;
  }
}
