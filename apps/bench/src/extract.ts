import type { Message } from '@palimpsest/core';
import { extractive, handoffTemplate } from '@palimpsest/summary';
import { createTokenCounter } from '@palimpsest/tokens';

const counter = createTokenCounter();

/** Has the extractive writer write about messages, without an engine. */
export async function writeExtract(messages: readonly Message[], budgetTokens: number): Promise<string> {
  const material = {
    messages: messages.filter(({ role }) => role !== 'system'),
    previousSummary: null,
    template: handoffTemplate,
    focusTopic: null,
  };
  const writer = extractive({ countText: (text) => counter.countText(text) });
  return (await writer.summarize({ prompt: '', budgetTokens, material })).text;
}
