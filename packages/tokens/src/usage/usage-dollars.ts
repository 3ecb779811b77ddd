import type { Usage } from '@palimpsest/core';
import type { ModelPrices } from '../models/model-registry.ts';

/** Returns what an answer cost, in dollars at list prices. */
export function usageDollars(usage: Usage, { input, output, cacheRead, cacheWrite }: ModelPrices): number {
  const { promptTokens, completionTokens = 0, cachedTokens = 0, cacheWriteTokens: written = 0 } = usage;
  const cached = Math.min(cachedTokens, promptTokens);
  const uncached = Math.max(0, promptTokens - cached - written);
  return (uncached * input + cached * cacheRead + written * cacheWrite + completionTokens * output) / 1e6;
}
