import type { Message, TokenCounter } from '@palimpsest/core';
import { Transcript } from '@palimpsest/core/authoring';

/**
 * The target with which an engine fills a budget for its whole output, as every other compactor does. The results that
 * the model has not seen come on top of a target, so they are subtracted. At least 1.
 */
export function engineTarget(messages: readonly Message[], budgetTokens: number, counter: TokenCounter): number {
  return Math.max(1, Math.floor(budgetTokens - Transcript.of(messages, counter).unreadTokens));
}
