export type { Calibration, CalibrationSample, CalibrationSnapshot } from './calibration.ts';
export { createCalibration } from './calibration.ts';
export type { AnchoredSize, AnchorRecord, UsageAnchor } from './usage-anchor.ts';
export { createUsageAnchor } from './usage-anchor.ts';
