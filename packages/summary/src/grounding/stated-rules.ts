import { contentText, hasToolCalls, type Message } from '@palimpsest/core';
import { oneLine } from '@palimpsest/salience';
import { isQuestion } from '../source/sentences.ts';
import type { UserWords } from '../source/user-words.ts';
import { requestMood } from './open-requests.ts';
import { type StandingRule, standingRules } from './standing-rules.ts';

/** Longer answers do more than to agree. Characters. */
const longestAgreement = 240;
/** More than this is no few words ahead. Characters. */
const longestTerms = 2_000;

/** Before what a user said that may be meant to last, in the section of rules: it orders nothing. */
const mention = 'Mentioned by the user: ';

/** Suffix of an item that only a tool result states: tools cannot set rules. */
const toolMark = ' (said by a tool result, not by the user)';

/** Prefix of an instruction from a system message, which comes from the host and not from the user. */
const hostMark = 'Instructed by the host: ';

/** An item in the section of rules. */
export interface ListedRule extends StandingRule {
  /** True if a tool result states it and no user does. */
  readonly byTool?: boolean | undefined;
  /** True if a system message states it. */
  readonly byHost?: boolean | undefined;
}

/** Formats a rule for the section of rules, on one line with its mark. {@link readRuleItem} reads it back. */
export function ruleItem({ text, sure, byTool, byHost }: ListedRule): string {
  if (byHost) return hostMark + oneLine(text);
  if (byTool) return oneLine(text) + toolMark;
  // A user text that starts with the host mark must not pass for a host instruction.
  return sure && !text.startsWith(hostMark) ? text : mention + text;
}

/** Parses an item of the section of rules, without its list mark. The inverse of {@link ruleItem}. */
export function readRuleItem(item: string): ListedRule {
  if (item.endsWith(toolMark)) return { text: item.slice(0, -toolMark.length), sure: false, byTool: true };
  if (item.startsWith(hostMark)) return { text: item.slice(hostMark.length), sure: true, byHost: true };
  return item.startsWith(mention) ? { text: item.slice(mention.length), sure: false } : { text: item, sure: true };
}

/** Those that are sure first, else in order, each once. */
export function bySureness<Rule extends StandingRule>(rules: readonly Rule[]): Rule[] {
  const known = new Set<string>();
  return [...rules.filter(({ sure }) => sure), ...rules.filter(({ sure }) => !sure)].filter(({ text }) => {
    if (known.has(text)) return false;
    known.add(text);
    return true;
  });
}

/** What was read out of a message, and from what. */
interface Memo {
  readonly text: string;
  readonly agreed: boolean;
  readonly rules: readonly StandingRule[];
}

// Rules are asked for several times in a compression, and again in the next; reading them takes longer than anything
// else done to what users say. Holds nothing the message does not hold.
const memos = new WeakMap<Message, Memo>();

/**
 * The rules in what a user said in one message, verbatim. Where the agent only agreed and waited for the next message,
 * nothing was asked for: all of it is likely meant to last. Memoized per message object.
 * @param messages those that the place of what was said refers to
 */
export function statedRules({ index, text }: UserWords, messages: readonly Message[]): readonly StandingRule[] {
  const message = messages[index];
  const agreed = isOnlyAgreedTo(index, messages);
  const known = message && memos.get(message);
  if (known && known.agreed === agreed && known.text === text) return known.rules;
  const standing = agreed && text.length <= longestTerms && requestMood(text) === 'request';
  const rules = standingRules(text, standing);
  if (message) memos.set(message, { text, agreed, rules });
  return rules;
}

function isOnlyAgreedTo(index: number, messages: readonly Message[]): boolean {
  const [answer, next] = [messages[index + 1], messages[index + 2]];
  if (answer?.role !== 'assistant' || next?.role !== 'user' || hasToolCalls(answer)) return false;
  const text = contentText(answer.content);
  return text.length <= longestAgreement && !isQuestion(text);
}
