export { loadImageCost, loadModelCounter } from './images/image-cost.ts';
export type { ImageProfile, ImageRule, ImageSize } from './images/image-formulas.ts';
export { imageTokens } from './images/image-formulas.ts';
