import { readToolName, toolClass } from '@palimpsest/agents';
import { contentText, type Message, toolCallName, toolCalls } from '@palimpsest/core';
import { eachTextLine } from '@palimpsest/pruner/salience';
import { rememberingText } from '../text/remembering.ts';
import { sentencesOf } from '../text/sentences.ts';
import { unwrappedLines } from '../text/unwrapped-lines.ts';
import { mayState, prefers, states } from './deciding-words.ts';

/** A sentence that states a decision or the reason for one, verbatim. */
export interface DecisionSentence {
  /** Index of the message. */
  readonly index: number;
  readonly text: string;
  /** Who wrote it. `refusal`: words in the result of a refused call; usually the user's, but any result may imitate them. */
  readonly by: 'user' | 'agent' | 'refusal';
  /**
   * The agent's question that the user answered, with the chosen option if it has a label; for a refusal, the name of the
   * tool. `null` for any other decision.
   */
  readonly question: string | null;
}

/**
 * Returns the sentences in which the agent states a decision or gives a reason, verbatim and in order. An agent that looks
 * for a fault states one cause after another. Until it changes a file or the user writes again, only the causes in its
 * latest message count.
 */
export function decisionSentences(messages: readonly Message[]): DecisionSentence[] {
  const found: DecisionSentence[] = [];
  const superseded = new Set<DecisionSentence>();
  let causes: readonly DecisionSentence[] = [];
  messages.forEach((message, index) => {
    if (message.role === 'user') causes = [];
    if (message.role !== 'assistant') return;
    const stated = rememberedStatements(contentText(message.content), message).map(
      (text): DecisionSentence => ({ index, text, by: 'agent', question: null }),
    );
    found.push(...stated);
    const newest = stated.filter(({ text }) => !prefers(text));
    if (newest.length > 0) {
      for (const earlier of causes) superseded.add(earlier);
      causes = newest;
    }
    if (changesFile(message)) causes = [];
  });
  return found.filter((one) => !superseded.has(one));
}

function changesFile(message: Message): boolean {
  return toolCalls(message).some((call) => toolClass(readToolName(toolCallName(call)).tool) === 'write');
}

const rememberedStatements = /* @__PURE__ */ rememberingText((whole: string): string[] => {
  const written: string[] = [];
  let mayDecide = false;
  eachTextLine(whole, (line) => {
    written.push(line);
    mayDecide ||= mayState(line);
  });
  if (!mayDecide) return [];
  const found: string[] = [];
  let inFence = false;
  for (const line of unwrappedLines(written)) {
    if (/^\s*(?:```|~~~)/.test(line)) inFence = !inFence;
    if (inFence || notProse.test(line) || !mayState(line)) continue;
    for (const text of sentencesOf(memberText(line))) if (states(text) && !announcing.test(text)) found.push(text);
  }
  return found;
});

/** Matches a heading, a row of a table and a quotation. */
const notProse: RegExp = /^\s*[#|>]/;
/**
 * Matches a sentence that only thanks, announces the next step, says that somebody still has to decide, says that a cause
 * was found but not which, or describes a line of code: `**store.go:47** - ignores the error because ...`.
 */
const announcing: RegExp = new RegExp(
  [
    /^(?:(?:now|next|so|first|then|ok(?:ay)?|also),? )?let me\b|, let me\b|^(?:thanks?|thank you|sorry)\b/,
    /^[^\w/]{0,12}[\w/-][\w./-]{0,120}\.\w{1,6}:\d/,
    /^[^\w]{0,12}(?:(?:\w+[,!:]? ){0,4}(?:found|identified|located|see|know|understand)|(?:this|that|it|there)(?: is| was|['\u2019]s))(?: now)? (?:the )?(?:\w+ )?(?:root cause|reason|problem|issue|bug)\W*$/,
    /\bdecisions? (?:(?:that )?(?:i|we) need|for you|(?:you|we) (?:need|have) to)\b/,
    /\b(?:let['\u2019]?s|i['\u2019]ll|i will) use [^\n]{1,80}\bto (?:see|find|locate|check|look|list|search|inspect|view|read|open|get|examine)\b/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'i',
);

/** Returns the text of a line that is a member of a JSON object, and other lines as they are. */
function memberText(line: string): string {
  return /^\s*"[^"]{1,40}":\s?"(.*)",?\s*$/.exec(line)?.[1] ?? line;
}
