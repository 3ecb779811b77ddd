import type { Message, Summarizer } from '@palimpsest/core';
import { extractive, handoffTemplate } from '@palimpsest/summary';

/** Length of a summary by a model, in tokens: 22 that Claude Code and pi wrote in the shared transcripts have 12,000 characters in the median. */
export const summaryTokens = 3_000;

/** Stands in for a model that summarizes: our writer by rules, at the length that models write. The same for every policy. */
export const standInWriter: Summarizer = {
  id: 'stand-in',
  summarize: (request) =>
    extractive().summarize({ ...request, budgetTokens: Math.min(request.budgetTokens, summaryTokens) }),
};

/** Summarizes messages as the simulated peers do. */
export async function summaryOf(
  writer: Summarizer,
  messages: readonly Message[],
  previousSummary: string | null,
  budgetTokens = summaryTokens,
): Promise<string> {
  const material = { messages, previousSummary, template: handoffTemplate, focusTopic: null };
  return (await writer.summarize({ prompt: '', budgetTokens, material })).text;
}
