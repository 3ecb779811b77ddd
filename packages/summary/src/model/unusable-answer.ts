import type { SummaryTemplate } from '@palimpsest/core';
import { openings } from '../prompt/write-prompt.ts';
import { parseSummary } from '../template/parse-summary.ts';
import { saysNothing } from '../template/says-nothing.ts';

/** Number of characters of the prompt's start that identify an answer as a copy. */
const openingLength = 120;

/** True for a summary with headings but no content under them. Sections that only rules write do not count. */
export function isEmptySummary(text: string, template: SummaryTemplate): boolean {
  const { preface, sections, missing } = parseSummary(text, template);
  if (missing.length === template.sections.length || !saysNothing(preface)) return false;
  return sections.every((section, index) => template.sections[index]!.byRules || saysNothing(section));
}

/** True for an answer that repeats the start of the prompt, or the instructions for at least half of the sections. */
export function isCopyOfPrompt(text: string, template: SummaryTemplate): boolean {
  const flat = flattened(text);
  if (Object.values(openings).some((opening) => flat.includes(opening.slice(0, openingLength)))) return true;
  const asks = template.sections.map(({ ask }) => flattened(ask)).filter((ask) => ask.length > 20);
  return asks.length > 1 && asks.filter((ask) => flat.includes(ask)).length * 2 >= asks.length;
}

function flattened(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
