export { clearOldestResults, headAndTail, newestTokens } from './compactors/baselines.ts';
export { type CommandCompactorOptions, commandCompactor } from './compactors/command-compactor.ts';
export type { Compact, CompactedMessages, Compactor, ModelCall } from './compactors/compactor.ts';
export { type EngineCompactorOptions, engineCompactor } from './compactors/engine-compactor.ts';
export type { EvalErrorCode } from './error-code.ts';
export type { Estimate } from './evaluate/bootstrap.ts';
export { evaluate } from './evaluate/evaluate.ts';
export type { EvaluateOptions } from './evaluate/evaluate-options.ts';
export type { CompactorResult, EvaluatedTranscript, Evaluation, TranscriptLosses } from './evaluate/evaluation.ts';
export type { Losses, LossKind, LostKind } from './evaluate/losses.ts';
export { evaluationMeasures, type Measure, type MeasureName, measures } from './evaluate/measure-list.ts';
export type { Scores } from './evaluate/scores.ts';
export {
  createJudge,
  type Judge,
  type JudgeCost,
  type JudgeOptions,
  type JudgePlan,
  type JudgePrices,
  type JudgeScore,
} from './judge/judge.ts';
export { fileJudgeCache, type JudgeCache } from './judge/judge-cache.ts';
export { evaluationJson } from './report/json.ts';
export { evaluationPage } from './report/page.ts';
export { evaluationNotes, evaluationRows } from './report/text-table.ts';
export { missedThresholds, readThreshold, type Threshold } from './report/thresholds.ts';
export type { NamedTranscript } from './transcripts/named-transcript.ts';
