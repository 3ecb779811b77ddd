export type { GroupRange } from './boundaries/find-summarized-range.ts';
export { findSummarizedRange, type SummarizedRangeInput } from './boundaries/find-summarized-range.ts';
export {
  findHeadEnd,
  type HeadLimits,
  type MiddleInput,
  middleRange,
} from './boundaries/middle-range.ts';
export { newestTurnsStart, startOfKeptTurns } from './boundaries/newest-turns.ts';
export { type BeforeTurnsInput, rangeBeforeTurns } from './boundaries/range-before-turns.ts';
export { latestTailStart, tailTokensByGroup } from './boundaries/tail-start.ts';
export { enoughTokens } from './budget/enough-tokens.ts';
export { maxSummaryTokens, type SummaryBudgetInput, summaryBudget } from './budget/summary-budget.ts';
export { type UsableWindow, usableWindow, type WindowShares, windowBudget } from './budget/window-budget.ts';
export {
  type EnginePass,
  enginePass,
  onProjection,
  type PassSettings,
  type SummaryPolicy,
} from './plan/engine-pass.ts';
export { type PlanAfterSummaryInput, planAfterSummary, planWithoutSummary } from './plan/plan-after-summary.ts';
export { planPruneOnly, planPruning, type Unsummarized, type UnsummarizedNotes } from './plan/plan-prune-only.ts';
export { initialSummaryState, type SummaryState } from './plan/summary-state.ts';
export { prunePhase } from './prune/prune-phase.ts';
export type { PruneInput } from './prune/prune-steps.ts';
export {
  createPrunedDraft,
  type PrunedDraft,
  type PrunedDraftInput,
  type SettledDraft,
  settleAs,
} from './prune/pruned-draft.ts';
export { behindPage } from './source/behind-page.ts';
export { type PlanScope, planScope, transcriptScope } from './source/plan-scope.ts';
export { hasModel } from './source/writes-by-rules.ts';
export { summarizeMiddle } from './summarize/summarize-middle.ts';
export {
  isWorthModelCall,
  type SummarizeRangeInput,
  summarizeRange,
  summaryTemplates,
  type TemplateName,
} from './summarize/summarize-range.ts';
export { promptTokensAfter, tokensOverTarget } from './target/draft-size.ts';
export type { LinesOf } from './target/range-stats.ts';
export { type TargetPlan, targetPlan } from './target/target-plan.ts';
export type { TargetSummary } from './target/target-summary.ts';
