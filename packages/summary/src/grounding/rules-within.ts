import type { EngineHost } from '@palimpsest/core';
import type { Transcript } from '@palimpsest/core/authoring';
import { type StandingRule, statedRules, userWords } from '@palimpsest/work-record';
import { certainFirst, ruleItem } from './rule-item.ts';

/** Room for rules in a summary of any size, because they exist nowhere else. Tokens. */
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

/**
 * Estimates what the user's rules will cost in a handoff, by the message that states them. An engine adds it to the
 * tokens of the handoff when it plans which messages to fold. At most 300 tokens in all.
 * @returns tokens by message index
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
