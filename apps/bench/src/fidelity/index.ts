export { clearOldestResults, headAndTail, type Keep, newestTokens } from './baselines.ts';
export { cutShares, cutsOf } from './cuts.ts';
export { engineKeep } from './engine-keep.ts';
export { budgets, type Curve, curvesOf, measureCut, type Point, tolerance } from './measure.ts';
export { needsOf, type Recall, recallOf } from './recall.ts';
