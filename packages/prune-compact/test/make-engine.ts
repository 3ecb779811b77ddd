import type { ContextEngine, EngineHost } from '@palimpsest/core';
import { createEngine } from '@palimpsest/core/authoring';
import { type PruneCompactOptions, type PruneCompactOptionsInput, pruneCompactOptions } from '../src/options.ts';
import { pruneCompactPlanner } from '../src/planner.ts';

/** Options with their defaults filled in. */
export function optionsOf(given: PruneCompactOptionsInput = {}): PruneCompactOptions {
  const checked = pruneCompactOptions['~standard'].validate(given);
  if (checked instanceof Promise || checked.issues) throw new Error('the options of this test are valid');
  return checked.value;
}

/** The engine under test on a host of the test's. */
export function makeEngine(host: EngineHost, given: PruneCompactOptionsInput = {}): ContextEngine {
  return createEngine(pruneCompactPlanner(optionsOf(given), host), host, { name: 'prune-compact' });
}
