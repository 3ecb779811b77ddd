import { contentText, hasToolCalls, type Message } from '@palimpsest/core';
import type { UserWords } from '../source/user-words.ts';
import { requestMood } from './open-requests.ts';
import { type StandingRule, standingRules } from './standing-rules.ts';

/** Longer answers do more than to agree. Characters. */
const longestAgreement = 240;
/** More than this is no few words ahead. Characters. */
const longestTerms = 2_000;

/** Before what a user said that may be meant to last, in the section of rules: it orders nothing. */
const mention = 'Mentioned by the user: ';

/** A rule as the section of rules lists it, and a later pass reads it back. */
export function ruleItem({ text, sure }: StandingRule): string {
  return sure ? text : mention + text;
}

/** The opposite of {@link ruleItem}, for a line of that section without its list mark. */
export function readRuleItem(item: string): StandingRule {
  return item.startsWith(mention) ? { text: item.slice(mention.length), sure: false } : { text: item, sure: true };
}

/** Those that are sure first, else in order, each once. */
export function bySureness(rules: readonly StandingRule[]): StandingRule[] {
  const known = new Set<string>();
  return [...rules.filter(({ sure }) => sure), ...rules.filter(({ sure }) => !sure)].filter(({ text }) => {
    if (known.has(text)) return false;
    known.add(text);
    return true;
  });
}

/**
 * The rules in what a user said in one message, verbatim. Where the agent only agreed and waited for the next message,
 * nothing was asked for: all of it is likely meant to last.
 * @param messages those that the place of what was said refers to
 */
export function statedRules({ index, text }: UserWords, messages: readonly Message[]): StandingRule[] {
  return standingRules(
    text,
    text.length <= longestTerms && requestMood(text) === 'request' && isOnlyAgreedTo(index, messages),
  );
}

function isOnlyAgreedTo(index: number, messages: readonly Message[]): boolean {
  const [answer, next] = [messages[index + 1], messages[index + 2]];
  if (answer?.role !== 'assistant' || next?.role !== 'user' || hasToolCalls(answer)) return false;
  const text = contentText(answer.content);
  return text.length <= longestAgreement && !/[?\uff1f]\s*$/.test(text);
}
