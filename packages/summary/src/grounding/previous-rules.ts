import { plainItems } from '../template/section-items.ts';
import type { StandingRule } from '../work-record/rules/standing-rules.ts';
import { withoutListMark } from '../work-record/text/sentences.ts';
import { type GroundTruth, sectionText } from './grounded.ts';
import { readRuleItem, rulesInRequest } from './rule-item.ts';

/** The user's rules in the previous summary. */
export function previousRules({ roles, previous, template }: GroundTruth): StandingRule[] {
  const own = roles.own('rules');
  if (own < 0) return [];
  return plainItems(sectionText(previous.sections, own, template))
    .map((item) => readRuleItem(withoutListMark(item)))
    .filter(({ text, bySummary, byHost }) => !bySummary && !byHost && text !== rulesInRequest);
}
