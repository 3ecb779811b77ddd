import { type StandingRule, withoutListMark } from '@palimpsest/work-record';
import { isFenced, sectionItems } from '../template/section-items.ts';
import { toolStatements } from './authorship.ts';
import { normalize } from './compare-words.ts';
import { counted, type Grounded, type GroundTruth, sectionText, withSection } from './grounded.ts';
import { previousRules } from './previous-rules.ts';
import { certainFirst, readRuleItem, ruleItem, rulesInRequest } from './rule-item.ts';
import { leastRuleRoom, rulesWithin } from './rules-within.ts';

/** Maximum share of the budget for restored rules, per origin. */
const share = 0.2;

/**
 * Restores rules of the user that the summary lost, verbatim, from this transcript and from the previous summary. Marks
 * items that only a tool result states, because tools cannot set rules.
 */
export function carryRules(grounded: Grounded, truth: GroundTruth): Grounded {
  return restoreRules(grounded, truth, true);
}

/** Like {@link carryRules}, but leaves out the rules of the current request, which stays in the transcript. */
export function carryFoldedRules(grounded: Grounded, truth: GroundTruth): Grounded {
  return restoreRules(grounded, truth, false);
}

function restoreRules(grounded: Grounded, truth: GroundTruth, ofRequest: boolean): Grounded {
  const { template, roles, source, countText, budgetTokens } = truth;
  const index = roles.place('rules');
  // Only this section is never shortened, so a rule in another section may still get lost.
  const kept = normalize(grounded.sections[index] ?? '');
  const within = (rules: readonly StandingRule[], room: number): readonly StandingRule[] =>
    rulesWithin(
      rules.filter(({ text }) => {
        const key = normalize(text);
        return key !== '' && !kept.includes(key);
      }),
      room,
      countText,
    );
  const carriedAt = new Map(source.messages.map((one) => [one.index, one.carried]));
  const statedIn = (carried: boolean): StandingRule[] =>
    truth.stated.filter(({ index }) => carriedAt.get(index) === carried);
  const shared = budgetTokens * share;
  // Each origin has its own room, so new rules cannot displace old ones, which exist nowhere else.
  const lost = certainFirst([
    ...within(previousRules(truth), Math.max(2 * leastRuleRoom, shared)),
    ...within(statedIn(false), Math.max(leastRuleRoom, shared)),
    ...(ofRequest ? within(statedIn(true), shared) : []),
  ]);
  const marked = markToolRules(grounded, truth);
  if (lost.length === 0) return marked;
  const text = sectionText(marked.sections, index, template);
  const reference = text.split('\n').at(-1) === rulesInRequest ? rulesInRequest : '';
  const before = text.slice(0, text.length - reference.length).trimEnd();
  const added = lost.map((rule) => `- ${ruleItem(rule)}`).join('\n');
  return {
    sections: withSection(marked.sections, index, [before, added, reference].filter(Boolean).join('\n')),
    warnings: [
      ...marked.warnings,
      `The summary had lost ${counted(lost.length, 'rule')} of the user; restored verbatim.`,
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
      return isFenced(item) || rule.byHost || rule.text === rulesInRequest ? [] : [{ at, rule }];
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
      `${counted(count, 'rule')} of the summary came from a tool result, not from the user; marked.`,
    ],
  };
}
