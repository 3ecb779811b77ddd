import type { SummaryTemplate } from '@palimpsest/core';
import { escapeLines, isFenceLine, markFencedLines } from './fence.ts';

/** A summary split into the sections of its template. */
export interface ParsedSummary {
  /** The text before the first heading of the template. */
  readonly preface: string;
  /** The text under each heading, in the order of the template; `''` if the heading is missing or the section is empty. */
  readonly sections: readonly string[];
  /** Headings of the template that the summary lacks. */
  readonly missing: readonly string[];
  /** Headings that occur more than once; their texts are joined. */
  readonly repeated: readonly string[];
}

/**
 * Splits a summary at the headings of its template, outside of code fences. Level, case, numbering, bold type and a
 * closing colon of a heading are ignored. Unknown headings count as text of their section.
 */
export function parseSummary(text: string, template: SummaryTemplate): ParsedSummary {
  const lines = text.replace(/\r\n?/g, '\n').split('\n');
  const inside = markFencedLines(lines);
  const known = new Map(template.sections.map(({ heading }, index) => [headingKey(heading), index]));
  const bodies: string[][][] = template.sections.map(() => []);
  const preface: string[] = [];
  let current = preface;
  lines.forEach((line, index) => {
    const heading = inside[index] ? undefined : known.get(headingOf(line));
    if (heading === undefined) {
      current.push(line);
      return;
    }
    current = [];
    bodies[heading]!.push(current);
  });
  const heading = (index: number): string => template.sections[index]!.heading;
  return {
    preface: trimLines(preface),
    sections: bodies.map((parts) => parts.map(trimLines).filter(Boolean).join('\n')),
    missing: bodies.flatMap((parts, index) => (parts.length === 0 ? [heading(index)] : [])),
    repeated: bodies.flatMap((parts, index) => (parts.length > 1 ? [heading(index)] : [])),
  };
}

/** True if a line at the left margin would be read as a heading of the template. */
export function isHeadingLine(line: string, template: SummaryTemplate): boolean {
  const key = headingOf(line);
  return key !== '' && template.sections.some(({ heading }) => headingKey(heading) === key);
}

/**
 * Formats a summary from the texts of its sections; a section without text is left out. Escapes lines that would start
 * another section and fences that would hide one. The number of lines stays the same.
 */
export function formatSummary(sections: readonly string[], template: SummaryTemplate): string {
  const texts = template.sections.flatMap(({ heading }, index) => {
    const text = sealSection(sections[index] ?? '', template);
    return text === '' ? [] : [`## ${heading}\n${text}`];
  });
  return texts.join('\n\n') || `## ${template.sections[0]?.heading ?? 'Summary'}\nNone.`;
}

function sealSection(section: string, template: SummaryTemplate): string {
  return trimLines([escapeLines(section, (line) => isFenceLine(line) || isHeadingLine(line, template))]);
}

/** The key of a heading line; `''` for any other line. */
function headingOf(line: string): string {
  if (line.length > 200) return '';
  const found = /^(?:#{1,6}[ \t]+(.+)|\*\*([^*\n]+)\*\*:?[ \t]*|__([^_\n]+)__:?[ \t]*)$/.exec(line);
  return found ? headingKey(found[1] ?? found[2] ?? found[3] ?? '') : '';
}

function headingKey(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/^[\s*_]*(?:\d{1,3}[.)]\s*)?/, '')
    .replace(/&/g, ' and ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Joins the lines without blank lines at both ends. */
function trimLines(lines: readonly string[]): string {
  return lines
    .join('\n')
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd();
}
