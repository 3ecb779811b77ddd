import type { Budget, ModelInfo } from '@palimpsest/core';
import type { PruneCompactOptions } from './options.ts';

/** The most that is reserved for an answer when nobody said how much (Kilocode, opencode). */
const defaultReserve = 20_000;

/** The budgets for a model: usable is the window less the reserve; the tail is a quarter of it, 2,000 to 15,000 tokens. */
export function pruneCompactBudget(options: PruneCompactOptions, model: ModelInfo): Budget {
  const { contextLength } = model;
  const asked =
    options.reserveOutput ?? model.reserveOutputTokens ?? Math.min(defaultReserve, Math.floor(contextLength * 0.2));
  const usableTokens = asked >= contextLength ? contextLength : contextLength - asked;
  const ignored = contextLength > 0 && asked >= contextLength;
  return {
    contextLength,
    usableTokens,
    thresholdTokens: Math.floor(usableTokens * options.threshold),
    tailTokens: Math.floor(Math.min(Math.max(usableTokens * 0.25, 2_000), 15_000)),
    summaryTokens: Math.min(Math.floor(contextLength * 0.05), 12_000),
    warnings: ignored
      ? [`The reserve of ${asked} tokens is as large as the window of ${contextLength}; it is ignored.`]
      : [],
  };
}
