import type { Budget, ModelInfo } from '@palimpsest/core';
import { maxSummaryTokens, usableWindow } from '@palimpsest/engine-kit';
import { defaultReserve, type PruneCompactOptions } from './options.ts';

/**
 * Computes the token budget for a model. The usable window is the window minus the reserve. The tail is a quarter of
 * the threshold, limited to 2,000 to 15,000 tokens.
 */
export function pruneCompactBudget(options: PruneCompactOptions, model: ModelInfo): Budget {
  const { contextLength } = model;
  const reserve =
    options.reserveOutput ??
    model.reserveOutputTokens ??
    Math.min(defaultReserve.tokens, Math.floor(contextLength * defaultReserve.share));
  const { usableTokens, warnings } = usableWindow(contextLength, reserve);
  const thresholdTokens = Math.floor(usableTokens * options.threshold);
  return {
    contextLength,
    usableTokens,
    thresholdTokens,
    tailTokens: Math.floor(Math.min(Math.max(thresholdTokens * 0.25, 2_000), 15_000)),
    summaryTokens: maxSummaryTokens(contextLength),
    warnings,
  };
}
