export type { ShareGptTurn } from '@palimpsest/formats';
export type { TurnRange } from './choose-region.ts';
export type { RowResult } from './compact-row.ts';
export type { TrajectoryErrorCode } from './error-code.ts';
export {
  addTotals,
  noTotals,
  type RunTotals,
  type TrajectoryMetrics,
  type TrajectoryOutcome,
  totalsOf,
} from './metrics.ts';
export type { TrajectoryOptions, TrajectorySettings } from './options.ts';
export type { TurnKind } from './row/turn-kind.ts';
export { hasSystemNotice, isSyntheticTurn, summaryPrefix, systemNotice } from './summary-turn.ts';
export {
  createTrajectoryCompactor,
  type TrajectoryCompactor,
  type TrajectoryResult,
} from './trajectory-compactor.ts';
