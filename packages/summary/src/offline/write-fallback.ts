import type { SummaryMaterial } from '@palimpsest/core';
import type { WrittenHandoff } from '../handoff/compose.ts';
import { writeByRules } from './write-by-rules.ts';

/** Maximum length in characters. */
const maxFallbackLength = 8_000;
const maxAttempts = 8;

/**
 * Writes the text to insert if every summarizer failed: a notice with the number of removed messages, and their offline
 * summary, in at most 8,000 characters.
 */
export function writeFallback(
  material: SummaryMaterial,
  removedMessages: number,
  budgetTokens: number,
  countText: (text: string) => number,
): WrittenHandoff {
  const notice = `No summary could be written: ${removedMessages} ${removedMessages === 1 ? 'message was' : 'messages were'} removed. What follows was picked from them by rules and is not complete.`;
  let budget = Math.max(0, budgetTokens - countText(notice) - 4);
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const written = writeByRules(material, budget, countText);
    const text = `${notice}\n\n${written.text}`;
    if (text.length <= maxFallbackLength) return { text, lines: written.lines };
    budget = Math.floor((budget * maxFallbackLength * 0.95) / text.length);
  }
  return { text: notice, lines: [] };
}
