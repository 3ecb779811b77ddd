import type { Message, Summarizer } from '@palimpsest/core';
import { extractive, handoffTemplate } from '@palimpsest/summary';

/** Length of a model's summary in tokens. The median of 22 summaries by Claude Code and pi in the shared transcripts is 12,000 characters. */
export const summaryTokens = 3_000;

/** Writes summaries by rules, as long as a model's. Every policy uses it instead of a model. */
export const standInWriter: Summarizer = {
  id: 'stand-in',
  summarize: (request) =>
    extractive().summarize({ ...request, budgetTokens: Math.min(request.budgetTokens, summaryTokens) }),
};

/** Summarizes messages as the simulated peers do. */
export async function summaryOf(
  messages: readonly Message[],
  previousSummary: string | null,
  budgetTokens = summaryTokens,
): Promise<string> {
  const material = { messages, previousSummary, template: handoffTemplate, focusTopic: null };
  return (await standInWriter.summarize({ prompt: '', budgetTokens, material })).text;
}
