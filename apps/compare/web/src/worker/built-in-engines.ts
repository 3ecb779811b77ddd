import { createRegistry } from '@palimpsest/registry';
import { configFor, type EngineSettings } from '../../../src/engine-settings.ts';
import type { Engines } from '../../../src/engines.ts';

/** The engines that come with the house, made so that they obey the settings. A fresh registry each time costs nothing. */
export function builtInEngines(settings: EngineSettings): Engines {
  const registry = createRegistry({ fallback: false });
  return {
    names: registry.list().map((engine) => engine.name),
    start: (name, host) => registry.create(configFor(name, settings), host),
  };
}
