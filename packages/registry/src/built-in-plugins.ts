import type { EnginePlugin } from '@palimpsest/core';

/** The engines of the house; every registry knows them unless it is told otherwise. */
export const builtInPlugins: readonly EnginePlugin[] = [];
