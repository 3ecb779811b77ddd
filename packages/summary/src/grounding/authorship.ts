import { contentText, isSystem, type Message } from '@palimpsest/core';
import { eachTextLine } from '@palimpsest/salience';
import { withoutListMark } from '@palimpsest/work-record';
import { plainItems, sectionItems } from '../template/section-items.ts';
import type { SectionRole } from '../template/section-role.ts';
import { contentWords, normalize, overlap } from './compare-words.ts';
import { type GroundTruth, sectionText } from './grounded.ts';
import { readRuleItem } from './rule-item.ts';

/** Share of common words from which a statement counts as a repetition of other lines. */
const repeats = 0.8;
/** Share of common words from which a statement may be a paraphrase of the user. */
const resembles = 0.6;
/** Minimum length of a text to search for; shorter texts occur by chance. Characters. */
const shortestText = 8;
/** Number of adjacent lines to compare as one, because sentences may span lines. */
const together = 3;

/** Sections with the words of the user, and sections that report on tools and the agent. */
const ofUser: readonly SectionRole[] = ['task', 'rules', 'asks'];
const ofTools: readonly SectionRole[] = ['context', 'blocked', 'state', 'actions', 'files', 'progress'];

/**
 * Returns for each statement whether it comes from a tool: it repeats a tool result or a report in the previous
 * summary, and the user did not say it. In the previous summary, only unmarked items in sections with the user's words
 * count as the user's; quotations count as a tool's.
 */
export function toolStatements(statements: readonly string[], truth: GroundTruth): boolean[] {
  if (statements.length === 0) return [];
  const { source, said } = truth;
  const wanted = statements.map((text) => ({ text: normalize(text), words: contentWords(text) }));
  const user = [...said.map(({ text }) => text), ...earlierItems(truth, ofUser, false)];
  const userWords = contentWords(user.join('\n'));
  const byUser = repeatedIn(wanted, user);
  const open = wanted.filter((_, at) => !byUser[at]);
  if (open.length === 0) return wanted.map(() => false);
  const tools = [
    ...source.messages.flatMap(({ message, real }) =>
      isReported(message, real) ? [contentText(message.content)] : [],
    ),
    ...earlierItems(truth, ofTools, true),
    ...earlierItems(truth, ofUser, true),
  ];
  const byTools = new Map(repeatedIn(open, tools).map((isRepeated, at) => [open[at], isRepeated]));
  let toolWords: Set<string>[] | null = null;
  return wanted.map((one) => {
    const isRepeated = byTools.get(one);
    if (isRepeated === undefined || isRepeated) return isRepeated ?? false;
    if (isShort(one) || overlap(one.words, userWords) >= resembles) return false;
    toolWords ??= tools.map(contentWords);
    return toolWords.some((words) => overlap(one.words, words) >= repeats);
  });
}

/** True for messages that are not instructions: tool results, and user messages inserted by a harness. */
function isReported(message: Message, real: boolean): boolean {
  return message.role !== 'assistant' && !isSystem(message) && !real;
}

/**
 * Returns items of the previous summary in the given sections.
 * @param byTools true: items from tools (quoted, marked, or in a reporting section); false: the user's own
 */
function earlierItems(
  { previous, roles, template }: GroundTruth,
  of: readonly SectionRole[],
  byTools: boolean,
): string[] {
  return of.flatMap((role) => {
    const index = roles.own(role);
    if (index < 0) return [];
    const text = sectionText(previous.sections, index, template);
    if (of === ofTools) return sectionItems(text);
    // The open request may be in a fence to protect its headings, but it is always the user's.
    if (role === 'task') return byTools ? [] : [text];
    const plain = plainItems(text);
    const items = byTools ? sectionItems(text).filter((item) => !plain.includes(item)) : [];
    for (const item of plain) {
      const rule = readRuleItem(withoutListMark(item));
      if (!rule.byHost && (rule.byTool ?? false) === byTools) items.push(rule.text);
    }
    return items;
  });
}

interface Wanted {
  readonly text: string;
  readonly words: ReadonlySet<string>;
}

/** True if a statement has too few words to compare, so that its whole text is searched for. */
const isShort = ({ words }: Wanted): boolean => words.size < 3;

/**
 * A quick check before a text is read line by line: false if the text has too few words of each statement to repeat it.
 */
function mayRepeat(text: string, wanted: readonly Wanted[]): boolean {
  const lower = text.toLowerCase();
  return wanted.some((one) => {
    if (isShort(one)) return true;
    let found = one.words.size;
    for (const word of one.words) if (!lower.includes(word) && --found / one.words.size < repeats) return false;
    return true;
  });
}

/**
 * Returns for each statement whether adjacent lines of one text repeat it. Linear in the texts: a statement that was found
 * is not looked for again.
 */
function repeatedIn(wanted: readonly Wanted[], texts: readonly string[]): boolean[] {
  const isFound = wanted.map(() => false);
  const short = [...wanted.entries()].filter(([, one]) => isShort(one) && one.text.length >= shortestText);
  const asking = new Map<string, number[]>();
  wanted.forEach((one, at) => {
    if (isShort(one)) return;
    for (const word of one.words) {
      const askers = asking.get(word);
      if (askers) askers.push(at);
      else asking.set(word, [at]);
    }
  });
  for (const text of texts) {
    if (!mayRepeat(text, wanted)) continue;
    const window: Map<number, string[]>[] = [];
    eachTextLine(text, (line) => {
      const heard = new Map<number, string[]>();
      for (const word of contentWords(line))
        for (const at of asking.get(word) ?? []) {
          if (isFound[at]) continue;
          const words = heard.get(at);
          if (words) words.push(word);
          else heard.set(at, [word]);
        }
      window.push(heard);
      if (window.length > together) window.shift();
      for (const at of heard.keys()) {
        const { size } = wanted[at]!.words;
        const words = window.flatMap((lines) => lines.get(at) ?? []);
        isFound[at] = words.length / size >= repeats && new Set(words).size / size >= repeats;
      }
      if (short.length === 0) return;
      const said = normalize(line);
      for (const [at, one] of short) isFound[at] ||= said.includes(one.text);
    });
  }
  return isFound;
}
