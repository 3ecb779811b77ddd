import type { Budget, ModelInfo } from '@palimpsest/core';
import type { CompressorOptions } from './options.ts';

/** Taken for the window of a model of which nothing is known, when somebody compresses all the same. */
const unknownWindow = 128_000;
/** What a threshold falls back to when it would not lie below the usable window. */
const fallbackFraction = 0.85;

/**
 * The budgets for a model: the window less the reserve, times the fraction, not under the floor, not over the cap; the
 * tail out of the threshold. A reserve as large as the window is ignored.
 */
export function compressorBudget(options: CompressorOptions, model: ModelInfo): Budget {
  const contextLength = model.contextLength > 0 ? model.contextLength : unknownWindow;
  const reserve = options.reserveOutput ?? model.reserveOutputTokens ?? 0;
  const usableTokens = reserve >= contextLength ? contextLength : contextLength - reserve;
  const chosen = thresholdFor(options, model.id);
  const wanted =
    typeof chosen === 'number' ? Math.max(Math.floor(usableTokens * chosen), options.minimumThreshold) : chosen.tokens;
  const below = wanted < usableTokens ? wanted : Math.floor(usableTokens * fallbackFraction);
  const thresholdTokens = Math.min(below, options.thresholdCap ?? Number.POSITIVE_INFINITY);
  return {
    contextLength: model.contextLength,
    usableTokens,
    thresholdTokens,
    tailTokens: tailTokens(options.tail, thresholdTokens, contextLength),
    summaryTokens: Math.min(Math.floor(contextLength * 0.05), 12_000),
    warnings: warningsFor(chosen, reserve, model.contextLength, thresholdTokens),
  };
}

function thresholdFor(options: CompressorOptions, model: string): CompressorOptions['threshold'] {
  const keys = Object.keys(options.modelThresholds).filter((key) => model.includes(key));
  const longest = keys.sort((a, b) => b.length - a.length)[0];
  return longest === undefined ? options.threshold : options.modelThresholds[longest]!;
}

function tailTokens(tail: CompressorOptions['tail'], threshold: number, window: number): number {
  if (tail === 'lean') return Math.floor(Math.min(clamp(window * 0.025, 10_000, 25_000), window * 0.2));
  if ('tokens' in tail) return tail.tokens;
  return Math.floor(threshold * clamp(tail.ratio, 0.1, 0.8));
}

function warningsFor(
  chosen: CompressorOptions['threshold'],
  reserve: number,
  window: number,
  threshold: number,
): string[] {
  const warnings: string[] = [];
  if (typeof chosen === 'number' && (chosen < 0.2 || chosen > 0.9))
    warnings.push(`A threshold of ${chosen} is unusual: between 0.2 and 0.9 is advised.`);
  if (window > 0 && reserve >= window)
    warnings.push(`The reserve of ${reserve} tokens is as large as the window of ${window}; it is ignored.`);
  if (window > 0 && threshold < 10_000)
    warnings.push(`The threshold is ${threshold} tokens; under 10,000 compressing is hardly worth its cost.`);
  return warnings;
}

function clamp(value: number, lowest: number, highest: number): number {
  return Math.min(Math.max(value, lowest), highest);
}
