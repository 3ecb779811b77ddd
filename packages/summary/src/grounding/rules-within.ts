import type { StandingRule } from '@palimpsest/work-record';
import { certainFirst, ruleItem } from './rule-item.ts';

/** Room for rules in a summary, because rules exist nowhere else. Tokens. */
const ruleRoom = 300;
/** Share of a small summary that rules get at most, because the user's messages need room, too. */
const shareOfSmall = 0.35;
/** Room for a rule or two in a summary of any size. Tokens. */
const leastRoom = 30;

/** Returns the minimum room for rules in a summary. Tokens. */
export function leastRuleRoom(budgetTokens: number): number {
  return Math.max(leastRoom, Math.min(ruleRoom, budgetTokens * shareOfSmall));
}

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
