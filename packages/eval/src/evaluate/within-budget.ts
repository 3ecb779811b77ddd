import type { Message, TokenCounter } from '@palimpsest/core';
import { Transcript } from '@palimpsest/core/authoring';
import { newestTokens } from '../compactors/baselines.ts';

/** Outputs up to this factor over their budget are measured unchanged, since compactors count tokens differently. */
export const tolerance = 1.01;

/** An output, and the part of it that fits the budget. */
export interface WithinBudget {
  /** Tokens of the whole output. */
  readonly tokens: number;
  /** The whole output, or its newest messages that fit. Everything but validity is measured on it. */
  readonly fair: readonly Message[];
}

/** Removes the oldest messages of an output that is over its budget, as for every other compactor. */
export function withinBudget(output: readonly Message[], budgetTokens: number, counter: TokenCounter): WithinBudget {
  const { totalTokens: tokens } = Transcript.of(output, counter);
  return { tokens, fair: tokens > budgetTokens * tolerance ? newestTokens(output, budgetTokens, counter) : output };
}
