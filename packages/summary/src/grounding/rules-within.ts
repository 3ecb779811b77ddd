import type { EngineHost } from '@palimpsest/core';
import type { Transcript } from '@palimpsest/core/authoring';
import { type StandingRule, statedRules, userWords } from '@palimpsest/work-record';
import { certainFirst, ruleItem } from './rule-item.ts';

/** What rules may take of a summary however small its budget is: they stand nowhere else any more. Tokens. */
export const leastRuleRoom = 300;

/**
 * Of some rules, those that fit into the room: what is not certain only beside all that is, and short ones before long
 * ones, because more of them do.
 */
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

/**
 * By message, what of a handoff the rules take that a user stated in it, when it goes. Tokens.
 * No more than they are granted together.
 */
export function ruleTokens(transcript: Transcript, host: EngineHost): Float64Array {
  const tokens = new Float64Array(transcript.length);
  let left = leastRuleRoom;
  for (const words of userWords(transcript, host)) {
    if (words.carried) continue;
    for (const rule of statedRules(words, transcript.messages)) {
      const cost = ruleCost(rule, (text) => host.tokens.countText(text));
      if (cost > left) continue;
      tokens[words.index]! += cost;
      left -= cost;
    }
  }
  return tokens;
}

function ruleCost(rule: StandingRule, countText: (text: string) => number): number {
  return countText(ruleItem(rule)) + 2;
}
