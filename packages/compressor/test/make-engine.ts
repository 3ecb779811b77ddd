import type { ContextEngine, EngineHost } from '@palimpsest/core';
import { createEngine, validateOptions } from '@palimpsest/core/authoring';
import { type CompressorOptions, type CompressorOptionsInput, compressorOptions } from '../src/options.ts';
import { compressorPlanner } from '../src/planner.ts';

/** The options with all defaults filled in. */
export function optionsOf(given: CompressorOptionsInput = {}): CompressorOptions {
  return validateOptions(compressorOptions, given, 'this test');
}

/** The engine under test, on the given host. */
export function makeEngine(host: EngineHost, given: CompressorOptionsInput = {}): ContextEngine {
  return createEngine(compressorPlanner(optionsOf(given), host), host, { name: 'compressor' });
}
