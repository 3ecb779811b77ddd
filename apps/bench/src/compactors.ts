import {
  type Compact,
  type Compactor,
  clearOldestResults,
  engineCompactor,
  headAndTail,
  newestTokens,
} from '@palimpsest/eval';
import { engines } from './engines/open-engine.ts';

/** Our engines. */
export const ownCompactors: Readonly<Record<string, Compactor>> = {
  compressor: engineCompactor((host) => engines.compressor(host, 200_000)),
  'prune-compact': engineCompactor((host) => engines['prune-compact'](host, 200_000)),
};

/** Simple methods to compare with. */
export const baselines: Readonly<Record<string, Compact>> = {
  'newest tokens': newestTokens,
  'head + tail': headAndTail,
  'clearing the oldest results': clearOldestResults,
};
