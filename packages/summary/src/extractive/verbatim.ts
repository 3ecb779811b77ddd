import type { SummaryTemplate } from '@palimpsest/core';
import { fenced } from '../template/fence.ts';
import { isHeadingLine } from '../template/parse-summary.ts';

/** Somebody's own words inside a section: as they are, or fenced where they would be read as a heading or a fence. */
export function verbatim(text: string, template: SummaryTemplate): string {
  const lines = text.split('\n');
  const risky = lines.some((line) => isHeadingLine(line, template) || /^ {0,3}(?:```|~~~)/.test(line));
  return risky ? fenced(text) : text;
}
