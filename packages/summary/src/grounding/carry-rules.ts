import { sectionItems } from '../template/section-items.ts';
import type { StandingRule } from '../work-record/rules/standing-rules.ts';
import { normalize } from './compare-words.ts';
import { counted, type Grounded, type GroundTruth, sectionText, withSection } from './grounded.ts';
import { previousRules } from './previous-rules.ts';
import { certainFirst, isInSummaryWords, ruleItem, rulesInRequest } from './rule-item.ts';
import { leastRuleRoom, rulesWithin } from './rules-within.ts';

/** Maximum share of the budget for restored rules, per origin. */
const share = 0.2;

/**
 * Restores rules of the user that the summary lost, verbatim, from this transcript and from the previous summary.
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
  const kept = normalize(
    sectionItems(grounded.sections[index] ?? '')
      .filter((item) => !isInSummaryWords(item))
      .join('\n'),
  );
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
  if (lost.length === 0) return grounded;
  const text = sectionText(grounded.sections, index, template);
  const reference = text.split('\n').at(-1) === rulesInRequest ? rulesInRequest : '';
  const before = text.slice(0, text.length - reference.length).trimEnd();
  const added = lost.map((rule) => `- ${ruleItem(rule)}`).join('\n');
  return {
    sections: withSection(grounded.sections, index, [before, added, reference].filter(Boolean).join('\n')),
    warnings: [
      ...grounded.warnings,
      `The summary had lost ${counted(lost.length, 'rule')} of the user; restored verbatim.`,
    ],
  };
}
