import { apiVersion, defineEngine, type EnginePlugin } from '@palimpsest/core/authoring';
import { type CompressorOptions, compressorOptions } from './options.ts';
import { type CompressorState, compressorPlanner } from './planner.ts';

/** The engine `compressor`, the default: keeps head and tail, and summarizes the middle. */
export const compressor: EnginePlugin<CompressorOptions, CompressorState> = defineEngine({
  name: 'compressor',
  apiVersion,
  stateVersion: 1,
  options: compressorOptions,
  create: compressorPlanner,
});
export default compressor;
export { compressorBudget } from './budget.ts';
export { type CompressorOptions, type CompressorOptionsInput, compressorOptions } from './options.ts';
export { type CompressorState, compressorPlanner } from './planner.ts';
