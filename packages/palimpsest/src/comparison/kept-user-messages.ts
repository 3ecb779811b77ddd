import { agentReader, isRequest } from '@palimpsest/agents';
import { contentText, type Message, readAnyHandoff, requestContent } from '@palimpsest/core';
import type { Share } from './kept.ts';

/**
 * Counts the messages written by a person whose exact words are in the output: in a user message, or quoted in a handoff.
 * A quotation may differ in white space, since a handoff puts each message on one line.
 */
export function keptUserMessages(input: readonly Message[], output: readonly Message[]): Share {
  const userTexts = new Set<string>();
  const carried: string[] = [];
  const summaries: string[] = [];
  for (const message of output) {
    const handoff = readAnyHandoff(message, agentReader);
    if (handoff) summaries.push(handoff.body);
    if (message.role !== 'user') continue;
    const own = contentText(requestContent(message, agentReader));
    userTexts.add(own);
    if (handoff) carried.push(own);
  }
  const isQuoted = quotationsIn(summaries.join('\n'));
  const wanted = input.filter((message, index) => isRequest(message, index, input));
  const kept = wanted.filter((message) => {
    const text = contentText(requestContent(message, agentReader));
    return userTexts.has(text) || carried.some((own) => own.includes(text)) || isQuoted(text);
  });
  return { kept: kept.length, of: wanted.length };
}

/** The text before a quotation: the start of a line, with a list mark or not, or a quotation mark. */
const beforeQuotation = /(?:\n(?:[-*>•]|\d{1,6}[.)])? ?|["“”„«`])$/;
/** The text after it: the end of a line, a quotation mark, or a remark in parentheses. */
const afterQuotation = /^(?:$|\n| \(|["“”»`])/;
/** The number of characters that the expressions need. */
const context = 9;

/** Returns a function that checks whether a summary quotes a text as a whole, and not as a part of a longer sentence. */
function quotationsIn(summary: string): (text: string) => boolean {
  const lines = `\n${summary.split('\n').map(collapsed).join('\n')}`;
  const whole = collapsed(summary);
  return (text) => {
    const wanted = collapsed(text);
    if (wanted === '') return false;
    for (let at = lines.indexOf(wanted); at >= 0; at = lines.indexOf(wanted, at + 1)) {
      const end = at + wanted.length;
      const before = lines.slice(Math.max(0, at - context), at);
      if (beforeQuotation.test(before) && afterQuotation.test(lines.slice(end, end + 2))) return true;
    }
    // Several lines may be quoted as several lines.
    return text.trim().includes('\n') && whole.includes(wanted);
  };
}

function collapsed(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
