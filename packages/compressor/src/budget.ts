import type { Budget, ModelInfo } from '@palimpsest/core';
import { assumedWindow, maxThresholdShare } from '@palimpsest/core/authoring';
import { maxSummaryTokens, usableWindow } from '@palimpsest/engine-kit';
import { type CompressorOptions, unsetDefaults } from './options.ts';

/**
 * Computes the token budget for a model. The threshold is a share of the usable window, at least `minimumThreshold`, or
 * a number of tokens. Both are limited by `thresholdCap` and to fit the window.
 */
export function compressorBudget(options: CompressorOptions, model: ModelInfo): Budget {
  const contextLength = model.contextLength > 0 ? model.contextLength : assumedWindow;
  const reserve = options.reserveOutput ?? model.reserveOutputTokens ?? 0;
  const { usableTokens } = usableWindow(contextLength, reserve);
  const threshold = thresholdFor(options, model.id);
  const wanted =
    typeof threshold === 'number'
      ? Math.max(Math.floor(usableTokens * threshold), options.minimumThreshold)
      : threshold.tokens;
  const below = wanted < usableTokens ? wanted : Math.floor(usableTokens * maxThresholdShare);
  const cap = options.thresholdCap ?? Number.POSITIVE_INFINITY;
  const thresholdTokens = Math.min(below, cap);
  return {
    contextLength: model.contextLength,
    usableTokens,
    thresholdTokens,
    maxThresholdTokens: Math.min(Math.floor(usableTokens * maxThresholdShare), cap),
    tailTokens: tailTokens(options.tail, thresholdTokens, contextLength),
    summaryTokens: maxSummaryTokens(contextLength),
    warnings: [
      ...thresholdWarnings(threshold),
      ...usableWindow(model.contextLength, reserve).warnings,
      ...windowWarnings(model.contextLength, thresholdTokens),
    ],
  };
}

function thresholdFor(options: CompressorOptions, model: string): CompressorOptions['threshold'] {
  const keys = Object.keys(options.modelThresholds).filter((key) => model.includes(key));
  const longest = keys.sort((a, b) => b.length - a.length)[0];
  return longest === undefined ? options.threshold : options.modelThresholds[longest]!;
}

function tailTokens(tail: CompressorOptions['tail'] = unsetDefaults.tail, threshold: number, window: number): number {
  if (tail === 'lean') return Math.floor(Math.min(clamp(window * 0.025, 10_000, 25_000), window * 0.2));
  if ('tokens' in tail) return tail.tokens;
  return Math.floor(threshold * clamp(tail.ratio, 0.1, 0.8));
}

function thresholdWarnings(threshold: CompressorOptions['threshold']): string[] {
  return typeof threshold === 'number' && (threshold < 0.2 || threshold > 0.9)
    ? [`A threshold of ${threshold} is unusual. Choose one from 0.2 to 0.9.`]
    : [];
}

function windowWarnings(window: number, threshold: number): string[] {
  return window > 0 && threshold < 10_000
    ? [`The threshold is ${threshold} tokens. Below 10,000, compaction is hardly worth its cost.`]
    : [];
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), max);
}
