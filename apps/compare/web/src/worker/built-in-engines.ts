import { configFor, type EngineSettings } from '@palimpsest/comparison/engine-settings';
import type { Engines } from '@palimpsest/comparison/engines';
import { createRegistry } from '@palimpsest/registry';

/** The built-in engines, configured by the settings. Creating a registry each time is cheap. */
export function builtInEngines(settings: EngineSettings): Engines {
  const registry = createRegistry({ fallback: false });
  return {
    names: registry.list().map((engine) => engine.name),
    start: (name, host) => registry.create(configFor(name, settings), host),
  };
}
