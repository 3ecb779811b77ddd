export { type SummaryBudgetInput, summaryBudget } from './budget.ts';
export { type Condensed, type CondenseInput, condense } from './condense.ts';
export { type ExtractiveOptions, extractive } from './extractive/extractive.ts';
export { classifyError, type Failure, type FailureClass } from './failure/failure-class.ts';
export { type FoldInput, foldRange, latestTailStart, tailSums, turnStart } from './fold-range.ts';
export { type Rehydrated, rehydrate, sourcesOf } from './rehydrate.ts';
export { type ParsedSummary, parseSummary } from './template/parse-summary.ts';
export { compactionTemplate, handoffTemplate, resumptionTemplate } from './template/templates.ts';
export { type SummaryInput, type SummaryResult, writeSummary } from './write-summary.ts';
