import type { SummarizeRequest, Summarizer } from '@palimpsest/core';
import { checkOptions, functionRule } from '@palimpsest/core/authoring';
import { estimateTokens } from '@palimpsest/tokens';
import { writeByRules } from './write-by-rules.ts';

export interface ExtractiveOptions {
  /** Counts the tokens of a text. @default an estimate without a vocabulary */
  readonly countText?: ((text: string) => number) | undefined;
}

/**
 * Creates a summarizer that calls no model. It fills the template with the work record and verbatim lines of the turns,
 * within the budget. Its summaries are deterministic, free, and in the language of the turns.
 */
export function extractive(options: ExtractiveOptions = {}): Summarizer {
  checkOptions('extractive', options, { countText: functionRule });
  const countText = options.countText ?? ((text: string) => estimateTokens(text));
  return {
    id: 'extractive',
    offline: true,
    summarize: async ({ material, budgetTokens }: SummarizeRequest) => ({
      ...writeByRules(material, budgetTokens, countText),
      finishReason: 'stop',
      hasRecord: true,
    }),
  };
}
