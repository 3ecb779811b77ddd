import type { SummaryLine, SummaryMaterial } from '@palimpsest/core';
import { parseSummary } from '../template/parse-summary.ts';
import { fillTemplate } from './fill-template.ts';
import { gatherFacts } from './gather-facts.ts';

export interface OfflineSummaryOptions {
  readonly budgetTokens: number;
  readonly countText: (text: string) => number;
}

/** What rules wrote. */
export interface OfflineSummary {
  readonly text: string;
  /** The lines whose source is known, in order. */
  readonly lines: readonly SummaryLine[];
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
): OfflineSummary {
  const facts = gatherFacts(material);
  const previous = parseSummary(material.previousSummary ?? '', material.template);
  let estimate = budgetTokens;
  let best: OfflineSummary | null = null;
  let bestTokens = -1;
  let shortest: OfflineSummary | null = null;
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const written = fillTemplate(facts, previous, material.template, estimate);
    const tokens = countText(written.text);
    if (tokens <= budgetTokens && tokens > bestTokens) {
      best = written;
      bestTokens = tokens;
    }
    if (shortest === null || written.text.length < shortest.text.length) shortest = written;
    if (tokens <= budgetTokens && (tokens >= budgetTokens * full || estimate > budgetTokens * 3)) break;
    estimate = (estimate * budgetTokens * (tokens > budgetTokens ? 0.985 : 0.995)) / Math.max(1, tokens);
  }
  return best ?? shortest!;
}
