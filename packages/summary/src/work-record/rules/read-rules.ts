import { contentText, type EngineHost, hasToolCalls, type Message } from '@palimpsest/core';
import type { Transcript } from '@palimpsest/core/authoring';
import { redactMessage } from '@palimpsest/pruner/salience';
import { isQuestion } from '../text/sentences.ts';
import { messageIntent } from '../user-messages/open-tasks.ts';
import type { UserWords } from '../user-messages/user-words.ts';
import { type StandingRule, standingRules } from './standing-rules.ts';

/** Maximum length of an answer that only agrees, in characters. */
const maxAgreementLength = 240;
/** Maximum length of a message that only states terms for the session, in characters. */
const maxTermsLength = 2_000;

/** A standing rule and the message that states it. */
export interface StatedRule extends StandingRule {
  /** Index of the user message. */
  readonly index: number;
}

interface Memo {
  readonly text: string;
  readonly agreed: boolean;
  readonly rules: readonly StandingRule[];
}

// Pure cache: every compaction needs the rules several times, and recognizing them is the slowest part of reading user
// messages.
const memos = new WeakMap<Message, Memo>();

/**
 * Returns the standing rules in one user message, verbatim and in order. If the agent only agreed and the user wrote
 * again, the message requested nothing, so all its statements are likely rules. Memoized per message object.
 * @param messages the messages that `index` refers to
 */
export function readRules({ index, text }: UserWords, messages: readonly Message[]): StatedRule[] {
  const message = messages[index];
  const agreed = isOnlyAgreedTo(index, messages);
  const known = message && memos.get(message);
  if (known && known.agreed === agreed && known.text === text) return known.rules.map((rule) => ({ ...rule, index }));
  const terms = agreed && text.length <= maxTermsLength && messageIntent(text) === 'task';
  const rules = standingRules(text, terms);
  if (message) memos.set(message, { text, agreed, rules });
  return rules.map((rule) => ({ ...rule, index }));
}

/**
 * Returns the user's standing rules in a transcript, verbatim and in order.
 * @param said the words of the user in the transcript
 */
export function rulesOf(said: readonly UserWords[], transcript: Transcript, host: EngineHost): StatedRule[] {
  // Summaries are written from the same redacted messages, so the rules in them are read only once.
  const messages = transcript.messages.map((message, index) =>
    transcript.isFromPerson(index) ? redactMessage(message, host) : message,
  );
  return rulesIn(said, messages);
}

/** Returns the standing rules in messages of the user, in order. A withdrawn message leaves no likely rules. */
export function rulesIn(said: readonly UserWords[], messages: readonly Message[]): StatedRule[] {
  return said.flatMap((words, at) => {
    const next = said[at + 1];
    const isWithdrawn = next !== undefined && messageIntent(next.text) === 'withdrawal';
    return readRules(words, messages).filter(({ certain }) => certain || !isWithdrawn);
  });
}

function isOnlyAgreedTo(index: number, messages: readonly Message[]): boolean {
  const [answer, next] = [messages[index + 1], messages[index + 2]];
  if (answer?.role !== 'assistant' || next?.role !== 'user' || hasToolCalls(answer)) return false;
  const text = contentText(answer.content);
  return text.length <= maxAgreementLength && !isQuestion(text);
}
