import type { SummaryTemplate } from '@palimpsest/core';
import { splitsPair } from '@palimpsest/salience';
import { estimateTokens } from '@palimpsest/tokens';
import { fenced, isFenceLine } from './fence.ts';
import { isHeadingLine } from './parse-summary.ts';

/** Somebody's own words inside a section: as they are, or fenced where they would be read as a heading or a fence. */
export function verbatim(text: string, template: SummaryTemplate): string {
  const lines = text.split(/\r\n?|\n/);
  const risky = lines.some((line) => isHeadingLine(line, template) || isFenceLine(line));
  return risky ? fenced(text) : text;
}

/** The start of a text that fits into so many tokens, cut at a line end where one is near, with a mark that says so. */
export function opening(text: string, tokens: number): string {
  const whole = estimateTokens(text);
  if (whole <= tokens) return text;
  let cut = Math.max(80, Math.floor((text.length * tokens) / whole));
  if (cut >= text.length) return text;
  const line = text.lastIndexOf('\n', cut);
  if (line > cut / 2) cut = line;
  if (splitsPair(text, cut)) cut--;
  return `${text.slice(0, cut).trimEnd()}\n[... ${text.length - cut} characters left out ...]`;
}
