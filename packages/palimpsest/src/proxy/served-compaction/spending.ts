import type { Usage } from '@palimpsest/core';

/** Tokens that the summaries of a compaction took. */
export interface Spending {
  /** Of all prompts, also what was read from a cache or written to it. */
  readonly input: number;
  readonly cached: number;
  readonly cacheWrite: number;
  readonly output: number;
}

/** Adds the usages of the calls for a summary. */
export function spendingOf(usages: readonly Usage[]): Spending {
  const sum = (of: (usage: Usage) => number | undefined): number =>
    usages.reduce((total, usage) => total + (of(usage) ?? 0), 0);
  return {
    input: sum(({ promptTokens }) => promptTokens),
    cached: sum(({ cachedTokens }) => cachedTokens),
    cacheWrite: sum(({ cacheWriteTokens }) => cacheWriteTokens),
    output: sum(({ completionTokens }) => completionTokens),
  };
}
