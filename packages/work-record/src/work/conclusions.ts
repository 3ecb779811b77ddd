import { contentText, hasToolCalls, type Message } from '@palimpsest/core';
import { startOf } from '@palimpsest/salience';
import { sentencesOf } from '../text/sentences.ts';

/** What the agent told the user at the end of a turn. */
export interface Conclusion {
  /** Index of the message. */
  readonly index: number;
  /** The first sentence or two, verbatim on one line. */
  readonly text: string;
  /** True if it says that something was tried and did not work. */
  readonly isDeadEnd: boolean;
}

const longest = 300;
const deadEnd: RegExp = /\b(?:does(?:n't| not) work|did(?:n't| not) work|failed|not possible|cannot be|dead end)\b/i;

/**
 * What the agent told the user at the end of each turn, in order.
 * @param isReal tells by index whether a person typed the user message
 */
export function conclusions(messages: readonly Message[], isReal: (index: number) => boolean): Conclusion[] {
  const found: Conclusion[] = [];
  messages.forEach((message, index) => {
    if (message.role !== 'assistant' || hasToolCalls(message)) return;
    const next = messages.findIndex(({ role }, at) => at > index && role !== 'system');
    if (next >= 0 && !isReal(next)) return;
    const text = contentText(message.content);
    const line = text.split('\n').find((one) => /\p{L}/u.test(one) && !one.trimStart().startsWith('#'));
    if (line === undefined) return;
    const first = startOf(sentencesOf(line).slice(0, 2).join(' '), longest);
    if (first !== '') found.push({ index, text: first, isDeadEnd: deadEnd.test(first) });
  });
  return found;
}
