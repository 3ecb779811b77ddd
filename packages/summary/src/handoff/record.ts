import type { RecordPart, SummaryMaterial, SummaryTemplate } from '@palimpsest/core';
import { sectionItems } from '../template/section-items.ts';
import { completeTemplate } from '../template/templates.ts';
import { taskWords } from '../template/verbatim.ts';
import { fileItems } from './files.ts';
import { earlierItem, type Item, verbatimItem } from './item.ts';
import { reloads } from './loads.ts';
import { type MaterialRecord, readMaterial } from './material.ts';
import { answerItems, messageItems, remarkItems } from './messages.ts';
import { earlierQuotations, foreignItems, pinItems } from './quoted.ts';
import { hostItems, ruleItems } from './rules.ts';
import { partIndex, readSections } from './sections.ts';
import { planItems, stateItems } from './state.ts';
import { type Step, stepItems } from './steps.ts';

/** Entries that ask for a share of a handoff. */
interface Claim {
  readonly part: RecordPart;
  /** In the order in which they are written. */
  readonly items: readonly Item[];
  /** Maximum share of the room. */
  readonly share: number;
  /** Tokens that the entries may take in any room, because they exist nowhere else. @default 0 */
  readonly minTokens?: number | undefined;
  /** The end that matters more. @default 'first' */
  readonly keep?: 'first' | 'last' | undefined;
  /**
   * Next to a model's page: `always` if the page leaves room for them, `thin` if they are only added to a page of less than
   * half a handoff. @default added if there is room
   */
  readonly besidePage?: 'always' | 'thin' | undefined;
}

/** What rules know about the messages that a handoff replaces. */
export interface HandoffRecord {
  readonly material: MaterialRecord;
  /** In order of priority. Entries of one part are written in the order of their messages. */
  readonly claims: readonly Claim[];
  /** What a model wrote in the previous summary, by section of the complete template. */
  readonly page: readonly string[];
  /** Quotations in the previous summary, oldest first. */
  readonly quotations: readonly string[];
}

/** Minimum room for the user's rules in a handoff of any size. Tokens. */
export const minRuleTokens = 300;
/** The same for the open task, the user's messages, instructions of the host, and what has to be loaded again. */
const minRoomTokens = 100;
/** Maximum share of the budget for the words of the open tasks. */
const taskShare = 0.2;

/**
 * Reads from messages and the previous summary what rules write into a handoff.
 * @param besidePage true if a model writes a page beside it
 */
export function readHandoffRecord(material: SummaryMaterial, budgetTokens: number, besidePage: boolean): HandoffRecord {
  const template = completeTemplate(material.template);
  const sections = readSections(material.previousSummary ?? '', template);
  /** What the previous summary has of a part, as entries. */
  const earlier = (part: RecordPart): readonly string[] => sectionItems(sections[partIndex(template, part)]!.record);
  const read = readMaterial(material);
  return {
    material: read,
    page: sections.map(({ page }) => page),
    quotations: earlierQuotations(earlier('context')),
    claims: [
      {
        part: 'task',
        items: taskItems(read, earlier('task'), template, budgetTokens),
        share: 1,
        minTokens: minRoomTokens,
        besidePage: 'always',
      },
      { part: 'context', items: pinItems(material, read.from, earlier('context')), share: 1, besidePage: 'always' },
      {
        part: 'rules',
        items: ruleItems(read, earlier('rules'), besidePage),
        share: 0.2,
        minTokens: minRuleTokens,
        besidePage: 'always',
      },
      {
        part: 'messages',
        items: messageItems(read, earlier('messages')),
        share: besidePage ? 0.45 : 0.35,
        minTokens: minRoomTokens,
        keep: 'last',
        besidePage: 'always',
      },
      {
        part: 'rules',
        items: hostItems(read, earlier('rules')),
        share: 0.2,
        minTokens: minRoomTokens,
        keep: 'last',
        besidePage: 'always',
      },
      {
        part: 'rules',
        items: reloads(material, earlier('rules')),
        share: 0.1,
        minTokens: minRoomTokens,
        besidePage: 'always',
      },
      { part: 'files', items: fileItems(read, earlier('files')), share: 0.15, besidePage: 'always' },
      { part: 'state', items: stateItems(read, earlier('state')), share: 0.08, besidePage: 'always' },
      { part: 'plan', items: planItems(read, earlier('plan')), share: 0.08, besidePage: 'always' },
      { part: 'task', items: listOvertaken(read), share: 1, besidePage: 'always' },
      { part: 'context', items: foreignItems(material, read.from, earlier('context')), share: 0.3 },
      ...(besidePage ? wordsFirst : workFirst)(read, earlier('work').map(earlierItem), stepItems(read)),
    ],
  };
}

/** A page describes what was done, but rarely why, and leaves out what was said. So words come before steps. */
function wordsFirst(read: MaterialRecord, earlier: readonly Item[], steps: readonly Step[]): Claim[] {
  const done = steps.filter(({ isFailed }) => !isFailed);
  return [
    { part: 'messages', items: answerItems(read), share: 0.4, keep: 'last' },
    { part: 'work', items: steps.filter(({ isFailed }) => isFailed), share: 0.2, keep: 'last' },
    { part: 'work', items: remarkItems(read), share: 0.35, keep: 'last' },
    { part: 'work', items: [...earlier, ...done], share: 0.45, keep: 'last', besidePage: 'thin' },
  ];
}

/** Without a page, only the agent's steps show what was done. */
function workFirst(read: MaterialRecord, earlier: readonly Item[], steps: readonly Step[]): Claim[] {
  return [
    { part: 'messages', items: answerItems(read), share: 0.35, keep: 'last' },
    { part: 'work', items: [...earlier, ...steps], share: 0.45, keep: 'last' },
    // The newest of them, not the longest.
    { part: 'work', items: remarkItems(read).map(({ forms }) => ({ forms })), share: 0.2, keep: 'last' },
  ];
}

/** Noted after a task that stays although work on it is summarized: the task may be done already. */
const overtaken = '(This message is after the end mark. Some of the work in this summary came after it.)';

/** The open tasks in the user's words. */
function taskItems(
  { work }: MaterialRecord,
  earlier: readonly string[],
  template: SummaryTemplate,
  budgetTokens: number,
): Item[] {
  if (work.said.length === 0) return earlier.filter((text) => text !== overtaken).map((text) => verbatimItem(text));
  const room = (budgetTokens * taskShare) / work.openTasks.length;
  return work.openTasks.map((task) => verbatimItem(taskWords(task, room, template), [task.index]));
}

function listOvertaken({ work, isSummarized }: MaterialRecord): Item[] {
  return work.openTasks.some(({ carried, index }) => carried && isSummarized(index)) ? [verbatimItem(overtaken)] : [];
}
