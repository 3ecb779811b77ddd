export { imageCost, loadImageCost } from './images/image-cost.ts';
export type { HeaderReader } from './images/image-dimensions.ts';
export { imageDimensions } from './images/image-dimensions.ts';
export type { ImageProfile, ImageRule, ImageSize } from './images/image-formulas.ts';
export { imageTokens } from './images/image-formulas.ts';
