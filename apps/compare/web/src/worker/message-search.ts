import type { Message } from '@palimpsest/core';
import { wholeText } from 'palimpsest/comparison/page/message-text';

const beginningLength = 160;
/** White space, and our own headings such as `[result of bash, call_1]`. */
const heading: RegExp = /^\s*\[(?:result of [^\]\n]{0,200}|reasoning)\]\s*/;

/** The beginning of each message on one line, for a list. */
export function beginnings(messages: readonly Message[]): readonly string[] {
  return messages.map((message) => {
    const text = wholeText(message)
      .slice(0, beginningLength * 4)
      .replace(heading, '');
    return text.replace(/\s+/g, ' ').trim().slice(0, beginningLength);
  });
}

/** The indices of the messages whose text contains `query`, without regard to case. */
export function messagesWith(messages: readonly Message[], query: string): readonly number[] {
  const wanted = query.toLowerCase();
  return messages.flatMap((message, at) => (wholeText(message).toLowerCase().includes(wanted) ? [at] : []));
}
