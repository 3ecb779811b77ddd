import type { RecordPart, SummaryTemplate } from '@palimpsest/core';
import { escapeLines, markFencedLines } from '../template/fence.ts';
import { parseSummary } from '../template/parse-summary.ts';
import { saysNothing } from '../template/says-nothing.ts';

/** The line between what rules wrote into a section and a model's words in it. */
export const pageMark = "In the summary's words:";

/** The text of a section: what rules wrote, and a model's words. */
export interface SectionText {
  readonly record: string;
  readonly page: string;
}

/** Splits the sections of a handoff that this package wrote, in the order of the template. */
export function readSections(body: string, template: SummaryTemplate): readonly SectionText[] {
  const { preface, sections } = parseSummary(body, template);
  const texts = sections.map((text, at): SectionText => {
    const { part } = template.sections[at]!;
    const lines = text.split('\n');
    const inside = markFencedLines(lines);
    const mark = lines.findIndex((line, index) => !inside[index] && line === pageMark);
    if (mark < 0) return part ? { record: text, page: '' } : { record: '', page: text };
    return { record: lines.slice(0, mark).join('\n'), page: lines.slice(mark + 1).join('\n') };
  });
  return withPreface(texts, preface, template);
}

/** Splits a page that a model wrote, in the order of the template. Sections that only rules write are left out. */
export function readPage(text: string, template: SummaryTemplate): readonly string[] {
  const { preface, sections } = parseSummary(text, template);
  const pages = sections.map((section, at) => {
    const own = section
      .split('\n')
      .filter((line) => line !== pageMark)
      .join('\n');
    return { record: '', page: template.sections[at]!.byRules || saysNothing(own) ? '' : own };
  });
  return withPreface(pages, preface, template).map(({ page }) => page);
}

/** Escapes all headings of a page, also the underlines of setext headings: a section of a model's own has no mark. */
export function withoutHeadings(page: string): string {
  return escapeLines(page, (line, before) => heading.test(line) || (underline.test(line) && before.trim() !== ''));
}

const heading: RegExp = /^ {0,3}(?:#{1,6}(?:[ \t]|$)|<h[1-6]\b|\*\*[^*]+\*\*:?[ \t]*$|__[^_]+__:?[ \t]*$)/i;
/** Makes a heading of the line before. */
const underline: RegExp = /^ {0,3}(?:=+|-+)[ \t]*$/;

/** Text before the first heading belongs to the section for everything else. */
function withPreface(texts: readonly SectionText[], preface: string, template: SummaryTemplate): SectionText[] {
  const place = partIndex(template, 'context');
  return texts.map(({ record, page }, at) => ({
    record,
    page: at === place ? [preface, page].filter(Boolean).join('\n\n') : page,
  }));
}

/** Index of the section with a part; the template has all parts. */
export function partIndex({ sections }: SummaryTemplate, part: RecordPart): number {
  return sections.findIndex((section) => section.part === part);
}
