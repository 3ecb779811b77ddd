import type { ContextEngine, EngineHost } from '@palimpsest/core';
import { createEngine, validateOptions } from '@palimpsest/core/authoring';
import { type PruneCompactOptions, type PruneCompactOptionsInput, pruneCompactOptions } from '../src/options.ts';
import { pruneCompactPlanner } from '../src/planner.ts';

/** The options with all defaults filled in. */
export function optionsOf(given: PruneCompactOptionsInput = {}): PruneCompactOptions {
  return validateOptions(pruneCompactOptions, given, 'this test');
}

/** The engine under test, on the given host. */
export function makeEngine(host: EngineHost, given: PruneCompactOptionsInput = {}): ContextEngine {
  return createEngine(pruneCompactPlanner(optionsOf(given), host), host, { name: 'prune-compact' });
}
