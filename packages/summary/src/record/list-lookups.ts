import type { SummaryLine } from '@palimpsest/core';
import { oneLine, truncate } from '@palimpsest/pruner/salience';
import { estimateTokens } from '@palimpsest/tokens';
import type { Lookup, Lookups } from '../work-record/work/lookups.ts';

const labels: readonly (readonly [keyof Lookups, string])[] = [
  ['files', 'Read'],
  ['searches', 'Searched for'],
  ['urls', 'Visited'],
];
const longestName = 160;

/** Lists what the agent looked at, one line per kind: the newest names that fit, and the number of others. */
export function lookupLines(lookups: Lookups, room: number): SummaryLine[] {
  const lines: SummaryLine[] = [];
  let left = room;
  for (const [kind, label] of labels) {
    const line = lookupLine(label, lookups[kind], left);
    if (line === null) continue;
    lines.push(line);
    left -= estimateTokens(line.text) + 2;
  }
  return lines;
}

function lookupLine(label: string, lookups: readonly Lookup[], room: number): SummaryLine | null {
  const names: string[] = [];
  const from: number[] = [];
  let left = room - estimateTokens(`${label}:  and 1,000 more`) - 2;
  for (const { index, name, count } of lookups) {
    const text = truncate(oneLine(name), longestName) + (count > 1 ? ` (${count}x)` : '');
    left -= estimateTokens(text) + 1;
    if (left < 0) break;
    names.push(text);
    from.push(index);
  }
  if (names.length === 0) return null;
  const more = lookups.length - names.length;
  return { text: `- ${label}: ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`, from };
}
