import type { SummaryMaterial } from '@palimpsest/core';
import { parseSummary } from '../template/parse-summary.ts';
import { arrangeRecord } from './arrange-record.ts';
import { gatherFacts } from './gather-facts.ts';

export interface ComposeOptions {
  readonly budgetTokens: number;
  readonly countText: (text: string) => number;
}

/** A record that fills this much of its budget is not tried again. */
const full = 0.97;
const attempts = 6;

/**
 * Writes a summary by rules alone: the largest within the budget that a few attempts find. The lines are weighed with
 * an estimate and the whole is counted with the caller's counter, so the first attempt lands beside the budget.
 */
export function composeRecord(material: SummaryMaterial, { budgetTokens, countText }: ComposeOptions): string {
  const facts = gatherFacts(material);
  const previous = parseSummary(material.previousSummary ?? '', material.template);
  let aim = budgetTokens;
  let best = '';
  let bestTokens = -1;
  let smallest = '';
  for (let attempt = 0; attempt < attempts; attempt++) {
    const text = arrangeRecord(facts, previous, material.template, aim);
    const tokens = countText(text);
    if (tokens <= budgetTokens && tokens > bestTokens) {
      best = text;
      bestTokens = tokens;
    }
    if (smallest === '' || text.length < smallest.length) smallest = text;
    if (tokens <= budgetTokens && (tokens >= budgetTokens * full || aim > budgetTokens * 3)) break;
    aim = (aim * budgetTokens * (tokens > budgetTokens ? 0.985 : 0.995)) / Math.max(1, tokens);
  }
  return bestTokens < 0 ? smallest : best;
}
