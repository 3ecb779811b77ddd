import type { SummaryLine, SummaryMaterial } from '@palimpsest/core';
import { parseSummary } from '../template/parse-summary.ts';
import { fillTemplate } from './fill-template.ts';
import { gatherFacts } from './gather-facts.ts';

export interface OfflineSummaryOptions {
  readonly budgetTokens: number;
  /** Tokens of the budget to leave free for later additions; at most half of the budget. @default 0 */
  readonly reservedTokens?: number | undefined;
  readonly countText: (text: string) => number;
}

/** A summary written by rules. */
export interface OfflineSummary {
  readonly text: string;
  /** Lines whose source is known, in order. */
  readonly lines: readonly SummaryLine[];
}

/** A summary that fills this share of its budget is good enough. */
const full = 0.97;
const mostAttempts = 6;

/**
 * Writes a summary by rules. Makes a few attempts and returns the largest one within the budget, or the shortest if
 * none fits. Each attempt fills the template by estimated tokens and is then counted with the caller's counter.
 */
export function writeOfflineSummary(
  material: SummaryMaterial,
  { budgetTokens, reservedTokens = 0, countText }: OfflineSummaryOptions,
): OfflineSummary {
  const facts = gatherFacts(material);
  const previous = parseSummary(material.previousSummary ?? '', material.template);
  const reserved = Math.floor(Math.min(reservedTokens, budgetTokens / 2));
  const limit = budgetTokens - reserved;
  let estimate = limit;
  let best: OfflineSummary | null = null;
  let bestTokens = -1;
  let shortest: OfflineSummary | null = null;
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const written = fillTemplate(facts, previous, material.template, estimate, reserved);
    const tokens = countText(written.text);
    if (tokens <= limit && tokens > bestTokens) {
      best = written;
      bestTokens = tokens;
    }
    if (shortest === null || written.text.length < shortest.text.length) shortest = written;
    if (tokens <= limit && (tokens >= limit * full || estimate > limit * 3)) break;
    estimate = (estimate * limit * (tokens > limit ? 0.985 : 0.995)) / Math.max(1, tokens);
  }
  return best ?? shortest!;
}
