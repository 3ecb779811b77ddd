import type { SummaryLine } from '@palimpsest/core';
import { oneLine } from '@palimpsest/pruner/salience';
import { normalize } from '../grounding/compare-words.ts';
import { isInSummaryWords } from '../grounding/rule-item.ts';
import type { WorkRecord } from '../work-record/read-work-record.ts';
import type { DecisionSentence } from '../work-record/work/decision-sentences.ts';
import { ListEntry, type ShortenableList } from './fit-list.ts';
import { leftOutNote, splitLeftOut } from './left-out.ts';
import { cutAt, shortMessage } from './list-messages.ts';

const leftOut = leftOutNote('earlier statement', 'earlier statements');

/** Matches a decision of the user, with the question that it answers. */
const byUser: RegExp = /^(?:Decided|Answered) by the user: (.*?)(?: \(asked: (.*)\))?$/;
/** True for a decision of the user in the list, unless a model wrote it. */
export function isOfUser(text: string): boolean {
  return byUser.test(text) && !isInSummaryWords(text);
}

/** Lengths of the shortest form of a decision of the user and of the question to it. Characters. */
const [shortDecision, shortQuestion] = [160, 80] as const;

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
    ]).map(
      ({ text, from }) => new ListEntry('-', () => decisionForms(text), [from], isOfUser(text) ? 'last' : 'in order'),
    ),
    keep: 'last',
    leftOutBefore: before.count,
    leftOut: (count) => [leftOut.line(count)],
  };
}

function toldDecisions(
  { decisions, conclusions, log, rules }: WorkRecord,
  isFolded: (index: number) => boolean,
): SummaryLine[] {
  // The current request is in the transcript as a whole.
  const shown = new Map(
    log.map(({ index, text, gist, carried }) => [index, carried ? oneLine(text) : gist.slice(0, shortMessage)]),
  );
  const stated = new Set(rules.map(({ text }) => text));
  const isShown = (index: number, text: string): boolean => stated.has(text) || !!shown.get(index)?.includes(text);
  const decided = decisions
    .filter(({ index, text, by, question }) => by === 'agent' || question !== null || !isShown(index, text))
    .map(({ index, text, by, question }) => ({ index, text: listed[by](text, question) }));
  const deadEnds = conclusions.filter(({ isDeadEnd, endsTurn }) => isDeadEnd && !endsTurn);
  return [...decided, ...deadEnds]
    .filter(({ index }) => isFolded(index))
    .sort((a, b) => a.index - b.index)
    .map(({ index, text }) => ({ text: oneLine(text), from: [index] }));
}

/**
 * How a decision is listed, by who made it. Neither the agent nor the words of a refusal speak for the user: the agent may
 * repeat what a file says, and any result may imitate a refusal.
 */
const listed: Readonly<Record<DecisionSentence['by'], (text: string, question: string | null) => string>> = {
  agent: (text) => (byUser.test(text) ? `The agent wrote: ${text}` : text),
  user: (text, question) =>
    question === null ? `Decided by the user: ${text}` : `Answered by the user: ${text} (asked: ${question})`,
  refusal: (text, tool) => `A call of ${tool} was refused; its result says: ${text}`,
};

/** Returns the forms of a decision, longest first. Only those of the user are shortened, because they are kept longest. */
function decisionForms(text: string): string[] {
  const [, decision, question] = (isOfUser(text) && byUser.exec(text)) || [];
  if (decision === undefined) return [text];
  const asked = question === undefined ? null : cutAt(question, shortQuestion);
  const short = listed.user(cutAt(decision, shortDecision), asked);
  return short.length < text.length ? [text, short] : [text];
}

/** Keeps the last occurrence of each text, also in other quotation marks, with the sources of all occurrences. */
function newestOfEach(lines: readonly SummaryLine[]): SummaryLine[] {
  const newest = new Map<string, { readonly text: string; readonly sources: Set<number> }>();
  for (const { text, from } of lines) {
    const key = normalize(text);
    const sources = newest.get(key)?.sources ?? new Set();
    for (const source of from) sources.add(source);
    newest.delete(key);
    newest.set(key, { text, sources });
  }
  return [...newest.values()].map(({ text, sources }) => ({ text, from: [...sources] }));
}
