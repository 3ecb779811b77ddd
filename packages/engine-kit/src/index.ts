export { type MiddleInput, middleRange, type TailStartRange } from './boundaries/middle-range.ts';
export { keptTurnsStart, newestTurnsStart } from './boundaries/newest-turns.ts';
export { type HeadLimits, protectedHead } from './boundaries/protected-head.ts';
export { type BeforeTurnsInput, rangeBeforeTurns } from './boundaries/range-before-turns.ts';
export type { GroupRange } from './boundaries/summarized-range.ts';
export { type SummarizedRangeInput, summarizedRange } from './boundaries/summarized-range.ts';
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
export { planPruneOnly, prunedAlone, type Unsummarized, type UnsummarizedNotes } from './plan/plan-prune-only.ts';
export { initialSummaryState, type SummaryState } from './plan/summary-state.ts';
export { prunePhase } from './prune/prune-phase.ts';
export type { PruneInput } from './prune/prune-steps.ts';
export {
  hasMiddle,
  type PrunedDraft,
  type PrunedDraftInput,
  prunedDraft,
  type SettledDraft,
  settledAs,
} from './prune/pruned-draft.ts';
export { behindPage } from './source/behind-page.ts';
export { type PlanScope, planScope, transcriptScope } from './source/plan-scope.ts';
export { hasModel } from './source/writes-by-rules.ts';
export { summarizeMiddle } from './summarize/summarize-middle.ts';
export {
  type SummarizeRangeInput,
  summarizeRange,
  summaryTemplates,
  type TemplateName,
} from './summarize/summarize-range.ts';
export { isWorthModelCall } from './summarize/summary-worth.ts';
export { promptTokensAfter, tokensOverTarget } from './target/draft-size.ts';
export type { LinesOf } from './target/range-stats.ts';
export { type TargetPlan, targetPlan } from './target/target-plan.ts';
export type { TargetSummary } from './target/target-summary.ts';
