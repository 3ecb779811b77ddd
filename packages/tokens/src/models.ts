export type { ModelProfile } from './model-profile.ts';
export { modelProfile } from './model-profile.ts';
export type { ModelLimits, ModelRegistry } from './model-registry.ts';
export { loadModelRegistry } from './model-registry.ts';
