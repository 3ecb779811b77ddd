export type { Calibration, CalibrationSample, CalibrationSnapshot } from './usage/calibration.ts';
export { createCalibration } from './usage/calibration.ts';
export type { AnchoredSize, AnchorRecord, UsageAnchor } from './usage/usage-anchor.ts';
export { createUsageAnchor } from './usage/usage-anchor.ts';
export { usageDollars } from './usage/usage-dollars.ts';
