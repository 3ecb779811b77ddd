import type { EngineHost, Transcript } from '@palimpsest/core';
import { userWords } from '../source/user-words.ts';
import { statedRules } from './stated-rules.ts';

/** What rules may take of a summary however small its budget is: they stand nowhere else any more. Tokens. */
export const leastRuleRoom = 300;

/** Of some rules, those that fit into the room, in order: short ones before long ones, because more of them do. */
export function rulesWithin(
  rules: readonly string[],
  room: number,
  countText: (text: string) => number,
): readonly string[] {
  const costs = new Map([...new Set(rules)].map((rule) => [rule, ruleCost(rule, countText)]));
  const fitting = new Set<string>();
  let left = room;
  for (const [rule, cost] of [...costs].sort(([, a], [, b]) => a - b)) {
    if (cost > left) break;
    left -= cost;
    fitting.add(rule);
  }
  return [...costs.keys()].filter((rule) => fitting.has(rule));
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

function ruleCost(rule: string, countText: (text: string) => number): number {
  return countText(rule) + 2;
}
