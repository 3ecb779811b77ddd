import { apiVersion, defineEngine, type EnginePlugin } from '@palimpsest/core/authoring';
import { type PruneCompactOptions, pruneCompactOptions } from './options.ts';
import type { PruneCompactState } from './pass.ts';
import { pruneCompactPlanner } from './planner.ts';

/** The engine `prune-compact`: shrinks old tool output first, and summarizes only if that is not enough. */
export const pruneCompact: EnginePlugin<PruneCompactOptions, PruneCompactState> = defineEngine({
  name: 'prune-compact',
  apiVersion,
  stateVersion: 1,
  options: pruneCompactOptions,
  create: pruneCompactPlanner,
});
export default pruneCompact;
export { pruneCompactBudget } from './budget.ts';
export { type PruneCompactOptions, type PruneCompactOptionsInput, pruneCompactOptions } from './options.ts';
export type { PruneCompactState } from './pass.ts';
export { pruneCompactPlanner } from './planner.ts';
export { type PruneOnlyOptions, pruneOnly } from './prune-only.ts';
