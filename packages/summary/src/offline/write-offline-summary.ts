import type { SummaryMaterial } from '@palimpsest/core';
import { parseSummary } from '../template/parse-summary.ts';
import { fillTemplate } from './fill-template.ts';
import { gatherFacts } from './gather-facts.ts';

export interface OfflineSummaryOptions {
  readonly budgetTokens: number;
  readonly countText: (text: string) => number;
}

/** A summary that fills this share of its budget is good enough. */
const full = 0.97;
const mostAttempts = 6;

/**
 * Writes a summary by rules: the largest within the budget that a few attempts find; the shortest one if none fits.
 * Each attempt fills the template by an estimate of tokens and is then counted with the caller's counter.
 */
export function writeOfflineSummary(
  material: SummaryMaterial,
  { budgetTokens, countText }: OfflineSummaryOptions,
): string {
  const facts = gatherFacts(material);
  const previous = parseSummary(material.previousSummary ?? '', material.template);
  let estimate = budgetTokens;
  let best = '';
  let bestTokens = -1;
  let shortest = '';
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const text = fillTemplate(facts, previous, material.template, estimate);
    const tokens = countText(text);
    if (tokens <= budgetTokens && tokens > bestTokens) {
      best = text;
      bestTokens = tokens;
    }
    if (shortest === '' || text.length < shortest.length) shortest = text;
    if (tokens <= budgetTokens && (tokens >= budgetTokens * full || estimate > budgetTokens * 3)) break;
    estimate = (estimate * budgetTokens * (tokens > budgetTokens ? 0.985 : 0.995)) / Math.max(1, tokens);
  }
  return bestTokens < 0 ? shortest : best;
}
