export { type Condensed, type CondenseInput, condense } from './condense.ts';
export { classifyError, type SummaryFailure, type SummaryFailureClass } from './model/summary-failure.ts';
export { type ExtractiveOptions, extractive } from './offline/extractive.ts';
export { recordTokens } from './record/record-tokens.ts';
export { type Rehydrated, rehydrate, sourcesOf } from './source/rehydrate.ts';
export type { SummaryInput } from './summary-input.ts';
export { formatSummary, type ParsedSummary, parseSummary } from './template/parse-summary.ts';
export { compactionTemplate, handoffTemplate, resumptionTemplate } from './template/templates.ts';
export { type SummaryResult, writeSummary } from './write-summary.ts';
