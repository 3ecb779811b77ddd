import type { SummarizeRequest, Summarizer } from '@palimpsest/core';
import { estimateTokens } from '@palimpsest/tokens';
import { composeRecord } from './compose-record.ts';

export interface ExtractiveOptions {
  /** Counts the tokens of a text. @default an estimate without a vocabulary */
  readonly countText?: ((text: string) => number) | undefined;
}

/**
 * A writer that calls no model: it fills the template with lines of the turns, chosen by rules, word for word, within
 * the budget. Free, deterministic, in the language of the turns.
 */
export function extractive(options: ExtractiveOptions = {}): Summarizer {
  const countText = options.countText ?? ((text: string) => estimateTokens(text));
  return {
    id: 'extractive',
    offline: true,
    summarize: async ({ material, budgetTokens }: SummarizeRequest) => ({
      text: composeRecord(material, { budgetTokens, countText }),
      finishReason: 'stop',
    }),
  };
}
