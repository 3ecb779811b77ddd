import type { SummaryLine } from '@palimpsest/core';
import { oneLine } from '@palimpsest/salience';
import type { WorkRecord } from '@palimpsest/work-record';
import { normalize } from '../grounding/compare-words.ts';
import { ListEntry, type ShortenableList } from './fit-list.ts';
import { leftOutNote, splitLeftOut } from './left-out.ts';
import { shortMessage } from './list-messages.ts';

const leftOut = leftOutNote('earlier statement', 'earlier statements');

/**
 * Lists decisions of the user that the list of messages does not show, decisions of the agent, and dead ends, newest
 * last.
 */
export function decisionList(
  work: WorkRecord,
  isFolded: (index: number) => boolean,
  earlier: readonly string[],
): ShortenableList {
  const before = splitLeftOut(earlier, leftOut, String);
  return {
    entries: newestOfEach([
      ...before.items.map((item) => ({ text: oneLine(item), from: [] })),
      ...toldDecisions(work, isFolded),
    ]).map(({ text, from }) => new ListEntry('-', () => [text], [from])),
    keep: 'last',
    leftOutBefore: before.count,
    leftOut: (count) => [leftOut.line(count)],
  };
}

function toldDecisions(
  { decisions, conclusions, log, rules }: WorkRecord,
  isFolded: (index: number) => boolean,
): SummaryLine[] {
  const shown = new Map(log.map(({ index, gist }) => [index, gist.slice(0, shortMessage)]));
  const stated = new Set(rules.map(({ text }) => text));
  const isShown = (index: number, text: string): boolean => stated.has(text) || !!shown.get(index)?.includes(text);
  const decided = decisions
    .filter(({ index, text, by, question }) => by === 'agent' || question !== null || !isShown(index, text))
    .map(({ index, text, by, question }) => ({ index, text: by === 'user' ? decidedByUser(text, question) : text }));
  const deadEnds = conclusions.filter(({ isDeadEnd, endsTurn }) => isDeadEnd && !endsTurn);
  return [...decided, ...deadEnds]
    .filter(({ index }) => isFolded(index))
    .sort((a, b) => a.index - b.index)
    .map(({ index, text }) => ({ text: oneLine(text), from: [index] }));
}

function decidedByUser(text: string, question: string | null): string {
  return question === null ? `Decided by the user: ${text}` : `Decided by the user: ${text} (asked: ${question})`;
}

/** Keeps the last occurrence of each text, also in other quotation marks, with the sources of all occurrences. */
function newestOfEach(lines: readonly SummaryLine[]): SummaryLine[] {
  const newest = new Map<string, SummaryLine>();
  for (const { text, from } of lines) {
    const key = normalize(text);
    const before = newest.get(key)?.from ?? [];
    newest.delete(key);
    newest.set(key, { text, from: [...before, ...from] });
  }
  return [...newest.values()];
}
