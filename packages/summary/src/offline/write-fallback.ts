import type { SummaryMaterial } from '@palimpsest/core';
import { composeRecord } from './compose-record.ts';

/** The most a fallback may hold, in characters. */
const longest = 8_000;

/**
 * What is inserted when no summary could be written: it says so, says how many messages were removed, and keeps what
 * rules alone can find in them.
 */
export function writeFallback(
  material: SummaryMaterial,
  removedMessages: number,
  budgetTokens: number,
  countText: (text: string) => number,
): string {
  const notice = `No summary could be written: ${removedMessages} ${removedMessages === 1 ? 'message was' : 'messages were'} removed. What follows was picked from them by rules and is not complete.`;
  let budget = Math.max(0, budgetTokens - countText(notice) - 4);
  for (let attempt = 0; attempt < 8; attempt++) {
    const text = `${notice}\n\n${composeRecord(material, { budgetTokens: budget, countText })}`;
    if (text.length <= longest) return text;
    budget = Math.floor((budget * longest * 0.95) / text.length);
  }
  return notice;
}
