export type { ModelCounter } from './models/model-counter.ts';
export { createModelCounter } from './models/model-counter.ts';
export type { ModelProfile } from './models/model-profile.ts';
export { modelProfile } from './models/model-profile.ts';
export type { ModelLimits, ModelPrices, ModelRegistry } from './models/model-registry.ts';
export { loadModelRegistry } from './models/model-registry.ts';
