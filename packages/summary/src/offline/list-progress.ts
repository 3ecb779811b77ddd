import type { SummaryLine } from '@palimpsest/core';
import { oneLine, type TurnCall } from '@palimpsest/pruner/salience';
import type { WorkRecord } from '../work-record/read-work-record.ts';
import type { Observed } from '../work-record/work/working-state.ts';

/** Matches a line of marks only, such as a rule between paragraphs. */
const onlyMarks = /^[\p{P}\p{S}\s]*$/u;
/** Matches the mark of a list item. */
const listMark = /^(?:[-*\u2022]|\d{1,3}[.)])\s+/;

/**
 * Lists what the agent was doing: calls without a result, and its last words in one item. If calls have returned since,
 * the item says so, because what the words announce may be done.
 */
export function listProgress({ pendingCalls, lastWords }: WorkRecord, calls: readonly TurnCall[]): SummaryLine[] {
  const words = lastWords.filter(({ text }) => !onlyMarks.test(text));
  const pending = pendingCalls.map(({ index, text }) => ({ text: oneLine(text), from: [index] }));
  if (words.length === 0) return pending;
  const said = words.map(({ text }) => oneLine(text.replace(listMark, ''))).join(' ');
  return [...pending, { text: `${saidWhen(words[0]!, calls)}${said}`, from: [words[0]!.index] }];
}

function saidWhen({ index }: Observed, calls: readonly TurnCall[]): string {
  const since = calls.filter(({ at, answeredAt }) => at >= index && answeredAt >= 0).length;
  if (since === 0) return '';
  return since === 1 ? 'Said before the last call: ' : `Said before the last ${since} calls: `;
}
