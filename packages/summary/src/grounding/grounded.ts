import type { SummaryTemplate } from '@palimpsest/core';
import type { UserWords } from '@palimpsest/work-record';
import type { Source } from '../source/gather-source.ts';
import type { ParsedSummary } from '../template/parse-summary.ts';
import { saysNothing } from '../template/says-nothing.ts';
import type { RoleMap } from '../template/section-role.ts';

/** What the steps of grounding look a summary up against. Redacted. */
export interface GroundTruth {
  readonly template: SummaryTemplate;
  readonly roles: RoleMap;
  readonly source: Source;
  /** The summary so far, taken apart. */
  readonly previous: ParsedSummary;
  /** What people said in the whole transcript. */
  readonly said: readonly UserWords[];
  readonly budgetTokens: number;
  readonly countText: (text: string) => number;
}

/** A summary under correction: its sections in the order of the template, and what had to be said about it. */
export interface Grounded {
  readonly sections: readonly string[];
  readonly warnings: readonly string[];
}

/** The text of a section, `''` when it says that it is empty. */
export function sectionText(sections: readonly string[], index: number, template: SummaryTemplate): string {
  // Keep the indentation of the first line: it may be what keeps that line from being a heading.
  const text = (sections[index] ?? '').replace(/^(?:[ \t]*\n)+/, '').trimEnd();
  return text.trim() === template.sections[index]?.empty || saysNothing(text) ? '' : text;
}

/** The sections with one of them changed. */
export function withSection(sections: readonly string[], index: number, text: string): string[] {
  return sections.map((section, at) => (at === index ? text : section));
}

/** The sections with lines added to one of them, behind what stands there. */
export function appended(
  sections: readonly string[],
  index: number,
  text: string,
  template: SummaryTemplate,
): string[] {
  return withSection(sections, index, [sectionText(sections, index, template), text].filter(Boolean).join('\n'));
}
