export { clearOldestResults, headAndTail, type Keep, newestTokens } from './baselines.ts';
export { type Cut, cutShares, cutSizes, cutsOf } from './cuts.ts';
export { engineKeep } from './engine-keep.ts';
export { type Half, halfOf } from './halves.ts';
export { dialectNames } from './intact.ts';
export { budgets, type Curve, curvesOf, measureCut, type Point, tolerance } from './measure.ts';
export { type Needs, needsOf, type Recall, recallOf } from './recall.ts';
export { textsOf } from './spoken.ts';
