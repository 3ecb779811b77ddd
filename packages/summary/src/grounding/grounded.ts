import type { SummaryTemplate } from '@palimpsest/core';
import type { Transcript } from '@palimpsest/core/authoring';
import type { RecordSections } from '../record/write-record.ts';
import type { Source } from '../source/gather-source.ts';
import type { ParsedSummary } from '../template/parse-summary.ts';
import { saysNothing } from '../template/says-nothing.ts';
import type { RoleMap } from '../template/section-role.ts';
import type { UserWords } from '../work-record/requests/user-words.ts';
import type { StatedRule } from '../work-record/rules/stated-rules.ts';

/** What a summary is checked against. All texts except the transcript are redacted. */
export interface GroundTruth {
  readonly template: SummaryTemplate;
  readonly roles: RoleMap;
  readonly transcript: Transcript;
  readonly source: Source;
  /** The previous summary; all sections are empty if there is none. */
  readonly previous: ParsedSummary;
  /** The sections that rules write into the summary. */
  readonly record: RecordSections;
  /** The words of the user in the whole transcript. */
  readonly said: readonly UserWords[];
  /** The standing rules that the user stated in these words. */
  readonly stated: readonly StatedRule[];
  /** Indices of messages to carry verbatim. */
  readonly pins: readonly number[];
  readonly budgetTokens: number;
  readonly countText: (text: string) => number;
  /** All texts that a path or identifier in the summary may come from, most likely first. */
  readonly knownTexts: () => Iterable<string>;
}

/** A summary under correction. */
export interface Grounded {
  /** The texts of the sections, in the order of the template. */
  readonly sections: readonly string[];
  /** The corrections so far. */
  readonly warnings: readonly string[];
}

/** One correction. Pure: returns the same object if there is nothing to correct. */
export type GroundingStep = (grounded: Grounded, truth: GroundTruth) => Grounded;

/** The text of a section; `''` if it only states that it is empty. */
export function sectionText(sections: readonly string[], index: number, template: SummaryTemplate): string {
  // Keep the indentation of the first line: without it, the line may become a heading.
  const text = (sections[index] ?? '').replace(/^(?:[ \t]*\n)+/, '').trimEnd();
  return text.trim() === template.sections[index]?.empty || saysNothing(text) ? '' : text;
}

/** A copy of the sections with one of them replaced. */
export function withSection(sections: readonly string[], index: number, text: string): string[] {
  return sections.map((section, at) => (at === index ? text : section));
}

/** A copy of the sections with text added at the end of one of them. */
export function appended(
  sections: readonly string[],
  index: number,
  text: string,
  template: SummaryTemplate,
): string[] {
  return withSection(sections, index, [sectionText(sections, index, template), text].filter(Boolean).join('\n'));
}

/** A count with its noun: `1 rule`, `2 rules`. */
export function counted(count: number, singular: string, plural: string = `${singular}s`): string {
  return `${count} ${count === 1 ? singular : plural}`;
}
