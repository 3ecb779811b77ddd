import type { Transcript } from '@palimpsest/core/authoring';
import { type StandingRule, statedRules, withoutListMark } from '@palimpsest/work-record';
import { isFenced, plainItems, sectionItems } from '../template/section-items.ts';
import { toolStatements } from './authorship.ts';
import { normalize } from './compare-words.ts';
import { appended, type Grounded, type GroundTruth, sectionText, withSection } from './grounded.ts';
import { certainFirst, readRuleItem, ruleItem } from './rule-item.ts';
import { leastRuleRoom, rulesWithin } from './rules-within.ts';

/** Of the budget, what rules added by us may take. */
const share = 0.2;

/**
 * Rules the user stated are carried word for word, this time's and those of the summary so far; and what only a tool
 * result said is marked as such, because a tool makes no rules.
 */
export function carryRules(grounded: Grounded, truth: GroundTruth, { messages }: Transcript): Grounded {
  const { template, roles, source, countText } = truth;
  const index = roles.place('rules');
  // Their section is never shortened, so only there is a rule sure to stay.
  const kept = normalize(grounded.sections[index] ?? '');
  const here = new Map(source.messages.map((one) => [one.index, one.carried]));
  const statedWhere = (carried: boolean): StandingRule[] =>
    truth.said.filter((one) => here.get(one.index) === carried).flatMap((one) => statedRules(one, messages));
  const own = roles.own('rules');
  const before =
    own < 0
      ? []
      : plainItems(sectionText(truth.previous.sections, own, template))
          .map((item) => readRuleItem(withoutListMark(item)))
          .filter(({ byTool, byHost }) => !byTool && !byHost);
  const missing = (rules: readonly StandingRule[]): StandingRule[] =>
    rules.filter(({ text }) => {
      const key = normalize(text);
      return key !== '' && !kept.includes(key);
    });
  const shared = truth.budgetTokens * share;
  const within = (rules: readonly StandingRule[], room: number): readonly StandingRule[] =>
    rulesWithin(missing(rules), room, countText);
  // Each on its own, and the most for those recorded before, which stand nowhere else: what is new puts out nothing old.
  const lost = certainFirst([
    ...within(before, Math.max(2 * leastRuleRoom, shared)),
    ...within(statedWhere(false), Math.max(leastRuleRoom, shared)),
    // A request that stands behind the summary states its rules itself.
    ...within(statedWhere(true), shared),
  ]);
  const marked = markToolRules(grounded, truth);
  if (lost.length === 0) return marked;
  return {
    sections: appended(marked.sections, index, lost.map((rule) => `- ${ruleItem(rule)}`).join('\n'), template),
    warnings: [
      ...marked.warnings,
      `The summary had lost ${lost.length} ${lost.length === 1 ? 'rule' : 'rules'} of the user; put back word for word.`,
    ],
  };
}

/** Marks items in the sections of user words that come from a tool result and that no user stated. */
function markToolRules(grounded: Grounded, truth: GroundTruth): Grounded {
  const { template, roles } = truth;
  let { sections } = grounded;
  let count = 0;
  for (const index of [roles.own('rules'), roles.own('asks')]) {
    if (index < 0) continue;
    const items = sectionItems(sectionText(sections, index, template));
    const plain = items.flatMap((item, at) => {
      const rule = readRuleItem(withoutListMark(item));
      return isFenced(item) || rule.byHost ? [] : [{ at, rule }];
    });
    const byTool = toolStatements(
      plain.map(({ rule }) => rule.text),
      truth,
    );
    plain.forEach(({ at, rule }, position) => {
      if (!byTool[position] && !rule.byTool) return;
      if (!rule.byTool) count++;
      items[at] = `- ${ruleItem({ ...rule, byTool: true })}`;
    });
    sections = withSection(sections, index, items.join('\n'));
  }
  if (count === 0) return { ...grounded, sections };
  return {
    sections,
    warnings: [
      ...grounded.warnings,
      `${count} ${count === 1 ? 'rule' : 'rules'} of the summary came from a tool result, not from the user, and ${count === 1 ? 'was' : 'were'} marked.`,
    ],
  };
}
