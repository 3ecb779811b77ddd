import { compressor } from '@palimpsest/compressor';
import type { EnginePlugin } from '@palimpsest/core/authoring';
import { pruneCompact } from '@palimpsest/prune-compact';

/** The engines of the house; every registry knows them unless it is told otherwise. */
export const builtInPlugins: readonly EnginePlugin[] = [compressor, pruneCompact];
