import { compressor } from '@palimpsest/compressor';
import type { EnginePlugin } from '@palimpsest/core/authoring';
import { pruneCompact } from '@palimpsest/prune-compact';

/** The built-in engines: the default of `createRegistry({ builtIns })`. */
export const builtInPlugins: readonly EnginePlugin[] = [compressor, pruneCompact];
