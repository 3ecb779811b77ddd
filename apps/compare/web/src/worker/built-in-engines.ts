import type { Engines } from '@palimpsest/eval/engines/engines';
import { createRegistry } from '@palimpsest/registry';
import { configFor, type EngineSettings } from 'palimpsest/replay/engine-settings';

/** The built-in engines, configured by the settings. Creating a registry each time is cheap. */
export function createBuiltInEngines(settings: EngineSettings): Engines {
  const registry = createRegistry({ fallback: false });
  return {
    names: registry.list().map((engine) => engine.name),
    start: (name, host) => registry.create(configFor(name, settings), host),
  };
}
