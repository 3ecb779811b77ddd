import type { StandingRule } from '../work-record/rules/standing-rules.ts';
import { certainFirst, ruleItem } from './rule-item.ts';

/** Minimum room for rules in a summary of any size, because rules exist nowhere else. Tokens. */
export const leastRuleRoom = 300;

/** Selects the rules that fit: the shortest first, to fit as many as possible, and likely ones only if all certain ones fit. */
export function rulesWithin(
  rules: readonly StandingRule[],
  room: number,
  countText: (text: string) => number,
): readonly StandingRule[] {
  const ordered = certainFirst(rules);
  const costs = new Map(ordered.map((rule) => [rule, ruleCost(rule, countText)]));
  const fitting = new Set<StandingRule>();
  let left = room;
  for (const certain of [true, false])
    for (const [rule, cost] of [...costs].filter(([one]) => one.certain === certain).sort(([, a], [, b]) => a - b)) {
      if (cost > left) return ordered.filter((one) => fitting.has(one));
      left -= cost;
      fitting.add(rule);
    }
  return ordered;
}

/** Cost of a rule in a handoff. Tokens. */
export function ruleCost(rule: StandingRule, countText: (text: string) => number): number {
  return countText(ruleItem(rule)) + 2;
}
