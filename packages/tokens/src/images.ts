export { imageCost, loadImageCost } from './image-cost.ts';
export type { HeaderReader } from './image-dimensions.ts';
export { imageDimensions } from './image-dimensions.ts';
export type { ImageProfile, ImageRule, ImageSize } from './image-formulas.ts';
export { imageTokens } from './image-formulas.ts';
