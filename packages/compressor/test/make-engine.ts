import type { ContextEngine, EngineHost } from '@palimpsest/core';
import { createEngine } from '@palimpsest/core/authoring';
import { type CompressorOptions, type CompressorOptionsInput, compressorOptions } from '../src/options.ts';
import { compressorPlanner } from '../src/planner.ts';

/** Options with their defaults filled in. */
export function optionsOf(given: CompressorOptionsInput = {}): CompressorOptions {
  const checked = compressorOptions['~standard'].validate(given);
  if (checked instanceof Promise || checked.issues) throw new Error('the options of this test are valid');
  return checked.value;
}

/** The engine under test on a host of the test's. */
export function makeEngine(host: EngineHost, given: CompressorOptionsInput = {}): ContextEngine {
  return createEngine(compressorPlanner(optionsOf(given), host), host, { name: 'compressor' });
}
