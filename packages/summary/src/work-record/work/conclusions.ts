import { contentText, hasToolCalls, type Message } from '@palimpsest/core';
import type { UserTurn } from '../requests/turns.ts';
import { rememberingText } from '../text/remembering.ts';
import { deadEndOf, isDeadEnd } from './dead-ends.ts';
import { firstContent } from './first-content.ts';

/** What the agent told the user at the end of a turn, or a dead end that it reported in the middle of one. */
export interface Conclusion {
  /** Index of the message. */
  readonly index: number;
  /** The first one or two sentences with content, verbatim on one line. */
  readonly text: string;
  /** True if the text reports that something was tried and did not work. */
  readonly isDeadEnd: boolean;
  /** True at the end of a turn; false for a dead end in the middle of one. */
  readonly endsTurn: boolean;
}

const rememberedContent = /* @__PURE__ */ rememberingText(firstContent);
const rememberedDeadEnd = /* @__PURE__ */ rememberingText(deadEndOf);

/** Returns what the agent told the user at the end of each turn, and dead ends during it, in order. Linear time. */
export function conclusions(messages: readonly Message[], turns: readonly UserTurn[]): Conclusion[] {
  const ends = new Set(turns.map(({ end }) => end));
  const told = new Set<string>();
  const found: Conclusion[] = [];
  messages.forEach((message, index) => {
    if (message.role !== 'assistant') return;
    const written = contentText(message.content);
    const ending = ends.has(index) && !hasToolCalls(message) ? rememberedContent(written, message) : '';
    if (ending !== '') {
      found.push({ index, text: ending, isDeadEnd: isDeadEnd(ending), endsTurn: true });
      return;
    }
    const text = rememberedDeadEnd(written, message);
    if (text === '' || told.has(text)) return;
    told.add(text);
    found.push({ index, text, isDeadEnd: true, endsTurn: false });
  });
  return found;
}
