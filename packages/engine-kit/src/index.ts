export { type FoldInput, foldRange } from './boundaries/fold-range.ts';
export type { GroupRange } from './boundaries/group-range.ts';
export { latestTailStart } from './boundaries/latest-tail-start.ts';
export { type MiddleInput, middleRange, type TailStartRange } from './boundaries/middle-range.ts';
export { keptExchangesStart, newestTurnsStart } from './boundaries/newest-turns.ts';
export { type HeadLimits, protectedHead } from './boundaries/protected-head.ts';
export { type BeforeTurnsInput, rangeBeforeTurns } from './boundaries/range-before-turns.ts';
export { tailTokensByGroup } from './boundaries/tail-tokens.ts';
export { enoughTokens } from './budget/enough-tokens.ts';
export { largestSummary, type SummaryBudgetInput, summaryBudget } from './budget/summary-budget.ts';
export { type UsableWindow, usableWindow } from './budget/usable-window.ts';
export { type WindowShares, windowBudget } from './budget/window-budget.ts';
export { type FoldIntoHandoffInput, foldIntoHandoff } from './fold/fold-into-handoff.ts';
export { foldMiddle } from './fold/fold-middle.ts';
export { isWorthModelCall } from './fold/fold-worth.ts';
export { summaryTemplates, type TemplateName } from './fold/templates-by-name.ts';
export { validateOptions } from './options/validate-options.ts';
export { type EnginePass, enginePass, type FoldPolicy, onProjection, type PassSettings } from './plan/engine-pass.ts';
export { type FoldState, initialFoldState } from './plan/fold-state.ts';
export { type PlanAfterFoldInput, planAfterFold } from './plan/plan-after-fold.ts';
export { planPruneOnly, prunedAlone, type Unfolded, type UnfoldedNotes } from './plan/plan-prune-only.ts';
export { planWithoutFold } from './plan/plan-without-fold.ts';
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
export { promptTokensAfter, tokensOverTarget } from './target/draft-size.ts';
export type { LinesOf } from './target/range-stats.ts';
export type { TargetFold } from './target/target-fold.ts';
export { type TargetPlan, targetPlan } from './target/target-plan.ts';
