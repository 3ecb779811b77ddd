import { contentText, isSystem, type Message } from '@palimpsest/core';
import { eachTextLine } from '../extractive/text-lines.ts';
import { unlisted } from '../source/sentences.ts';
import { plainItems, sectionItems } from '../template/section-items.ts';
import type { SectionRole } from '../template/section-role.ts';
import { type GroundTruth, sectionText } from './grounding.ts';
import { contentWords, normalize, overlap } from './normalize.ts';
import { readRuleItem } from './stated-rules.ts';

/** From this share of its words on, a statement repeats the lines it is compared with. */
const repeats = 0.8;
/** From this share on, it could be the user's in other words. */
const resembles = 0.6;
/** Anything shorter stands everywhere. Characters. */
const shortestText = 8;
/** Lines that are read together, because sentences run over line ends. */
const together = 3;

/** Sections of a summary in which a user's words stand, and those in which tools and the agent are reported. */
const ofUser: readonly SectionRole[] = ['task', 'rules', 'asks'];
const ofTools: readonly SectionRole[] = ['context', 'blocked', 'state', 'actions', 'files', 'progress'];

/**
 * Which of some statements are a tool's and not the user's: they repeat what a tool result, or the report of one in the
 * summary so far, says, and no user said so. A summary so far speaks for the user only where it lists the user's words
 * and does not mark them; whatever it quotes is a tool's.
 */
export function toolStatements(statements: readonly string[], truth: GroundTruth): boolean[] {
  const { source, said } = truth;
  const wanted = statements.map((text) => ({ text: normalize(text), words: contentWords(text) }));
  const user = [...said.map(({ text }) => text), ...earlierItems(truth, ofUser, false)];
  const userWords = contentWords(user.join('\n'));
  const byUser = bestShares(wanted, user);
  const open = wanted.filter((_, at) => byUser[at]! < repeats);
  if (open.length === 0) return wanted.map(() => false);
  const tools = [
    ...source.messages.flatMap(({ message, real }) =>
      isReported(message, real) ? [contentText(message.content)] : [],
    ),
    ...earlierItems(truth, ofTools, true),
    ...earlierItems(truth, ofUser, true),
  ];
  const byTools = new Map(bestShares(open, tools).map((share, at) => [open[at], share]));
  let toolWords: Set<string>[] | null = null;
  return wanted.map((one) => {
    const share = byTools.get(one);
    if (share === undefined) return false;
    if (share >= repeats) return true;
    if (isShort(one) || overlap(one.words, userWords) >= resembles) return false;
    toolWords ??= tools.map(contentWords);
    return toolWords.some((words) => overlap(one.words, words) >= repeats);
  });
}

/** Texts nobody who instructs the agent wrote: tool results, and user messages of a harness. */
function isReported(message: Message, real: boolean): boolean {
  return message.role !== 'assistant' && !isSystem(message) && !real;
}

/** @param byTools the items that tools said: the quoted and the marked ones, and all of sections that report. */
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
    // The open request is fenced where it would be read as something else; it is the user's all the same.
    if (role === 'task') return byTools ? [] : [text];
    const plain = plainItems(text);
    const items = byTools ? sectionItems(text).filter((item) => !plain.includes(item)) : [];
    for (const item of plain) {
      const rule = readRuleItem(unlisted(item));
      if (!rule.byHost && (rule.byTool ?? false) === byTools) items.push(rule.text);
    }
    return items;
  });
}

interface Wanted {
  readonly text: string;
  readonly words: ReadonlySet<string>;
}

/** Too few words to tell by, so the whole statement is looked for. */
const isShort = ({ words }: Wanted): boolean => words.size < 3;

/** For each statement, the largest share of its words that stands in a few lines of one text. Linear in the texts. */
function bestShares(wanted: readonly Wanted[], texts: readonly string[]): number[] {
  const best = wanted.map(() => 0);
  const short = [...wanted.entries()].filter(([, one]) => isShort(one) && one.text.length >= shortestText);
  const asking = new Map<string, number[]>();
  wanted.forEach((one, at) => {
    if (!isShort(one)) for (const word of one.words) asking.set(word, [...(asking.get(word) ?? []), at]);
  });
  for (const text of texts) {
    const window: Map<number, string[]>[] = [];
    eachTextLine(text, (line) => {
      const found = new Map<number, string[]>();
      for (const word of contentWords(line))
        for (const at of asking.get(word) ?? []) found.set(at, [...(found.get(at) ?? []), word]);
      window.push(found);
      if (window.length > together) window.shift();
      for (const at of found.keys()) {
        const words = new Set(window.flatMap((lines) => lines.get(at) ?? []));
        best[at] = Math.max(best[at]!, words.size / wanted[at]!.words.size);
      }
      if (short.length === 0) return;
      const said = normalize(line);
      for (const [at, one] of short) if (said.includes(one.text)) best[at] = 1;
    });
  }
  return best;
}
