import { oneLine } from '@palimpsest/pruner/salience';
import { isFenced, plainItems, sectionItems } from '../template/section-items.ts';
import type { SectionRole } from '../template/section-role.ts';
import { typedSentences } from '../work-record/rules/standing-rules.ts';
import { sentencesOf, withoutListMark } from '../work-record/text/sentences.ts';
import { normalize } from './compare-words.ts';
import { type Grounded, type GroundTruth, sectionText, withSection } from './grounded.ts';
import {
  inSummaryWords,
  isInSummaryWords,
  type ListedRule,
  readRuleItem,
  rulesInRequest,
  withoutSummaryMark,
} from './rule-item.ts';

/** Sections that a reader takes for the user's words, besides Active Task, which has only quotations. */
const ofUser: readonly SectionRole[] = ['goal', 'rules', 'asks', 'decisions'];

/**
 * Marks all that a model wrote in sections of the user's words: it may repeat a tool result. Whole sentences of the user,
 * lines of the record, and lines that earlier passes left unmarked are quotations. Steps after this one add only lines that
 * rules wrote.
 */
export function markSummaryWords(grounded: Grounded, truth: GroundTruth): Grounded {
  const { template, roles, record } = truth;
  const spoken = new Set(truth.said.flatMap(({ text }) => typedSentences(text)).map(normalize));
  const task = roles.own('task');
  let { sections } = grounded;
  for (const role of ofUser) {
    const index = roles.own(role);
    const written = index < 0 || index === task ? '' : sectionText(sections, index, template);
    if (written === '') continue;
    const earlier = plainItems(sectionText(truth.previous.sections, index, template));
    const rules = earlier.map((item) => readRuleItem(withoutListMark(item))).filter(isOfUser);
    const known = new Set([
      ...[...earlier, ...(record.items.get(role) ?? [])].map(statement),
      ...rules.map(({ text }) => normalize(text)),
    ]);
    const isQuotation = (item: string): boolean => known.has(statement(item)) || quotes(item, spoken);
    const marked = sectionItems(written).flatMap((item) => {
      const lines = isFenced(item) ? item.split('\n').slice(1, -1) : [];
      if (lines.length > 0 && lines.every((line) => line.trim() === '' || isQuotation(line))) return item;
      // A quotation in a fence looks like the user's.
      if (isFenced(item)) return lines.filter((line) => line.trim() !== '').map(inSummaryWords);
      const bare = withoutSummaryMark(item);
      return isQuotation(bare) || withoutListMark(item) === rulesInRequest ? bare : inSummaryWords(item);
    });
    sections = withSection(sections, index, marked.join('\n'));
  }
  return { ...grounded, sections };
}

function isOfUser({ bySummary, byHost }: ListedRule): boolean {
  return !bySummary && !byHost;
}

function statement(item: string): string {
  // A marked item of an earlier pass is no quotation.
  return isInSummaryWords(item) ? item : normalize(withoutListMark(item));
}

/** True if each sentence of an item is one of the user's. A part of a sentence may say the opposite of the whole. */
function quotes(item: string, spoken: ReadonlySet<string>): boolean {
  const rule = readRuleItem(withoutListMark(item));
  const sentences = rule.byHost ? [] : sentencesOf(oneLine(rule.text)).map(normalize);
  return sentences.length > 0 && sentences.every((sentence) => spoken.has(sentence));
}
