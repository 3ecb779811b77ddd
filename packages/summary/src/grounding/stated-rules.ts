import { contentText, hasToolCalls, type Message } from '@palimpsest/core';
import type { UserWords } from '../source/user-words.ts';
import { standingRules } from './standing-rules.ts';

/** Longer answers do more than to agree. Characters. */
const longestAgreement = 240;
/** More than this is no few words ahead. Characters. */
const longestTerms = 2_000;

/**
 * The rules in what a user said in one message, verbatim. Where the agent only agreed and waited for the next message,
 * nothing was asked for: all of it is meant to last.
 * @param messages those that the place of what was said refers to
 */
export function statedRules({ index, text }: UserWords, messages: readonly Message[]): string[] {
  return standingRules(text, text.length <= longestTerms && isOnlyAgreedTo(index, messages));
}

function isOnlyAgreedTo(index: number, messages: readonly Message[]): boolean {
  const [answer, next] = [messages[index + 1], messages[index + 2]];
  if (answer?.role !== 'assistant' || next?.role !== 'user' || hasToolCalls(answer)) return false;
  const text = contentText(answer.content);
  return text.length <= longestAgreement && !/[?\uff1f]\s*$/.test(text);
}
