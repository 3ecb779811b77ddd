import { isRequest } from '@palimpsest/agents';
import { contentText, type Message } from '@palimpsest/core';

/** True when the text stands, letter for letter, in what a model is shown of some message. */
export function isInContext(messages: readonly Message[], text: string): boolean {
  return messages.some(({ content }) => contentText(content).includes(text));
}

// Told apart from what the summaries look for on purpose: short sentences in which a person forbids or demands something
// for good, as an order of its own and not as what somebody does ("I don't remember").
const rule =
  /(?:^|[,;:.] |\b(?:and|but|so|then|please) )(?:never|always|do not|don't|make sure|from now on|only ever)\s|\bmust\s/i;

/**
 * Sentences in which the users of a real transcript state a rule: English ones, since no list of words is complete.
 * Texts over 4,000 characters are prompts of a harness or pasted, and are left out.
 */
export function rulesStatedIn(messages: readonly Message[]): string[] {
  const rules = new Set<string>();
  messages.forEach((message, index) => {
    const text = contentText(message.content);
    if (message.role !== 'user' || text.length > 4_000 || !isRequest(message, index, messages)) return;
    for (const line of text.split('\n'))
      for (const cut of line.split(/(?<=[.!?])\s+/)) {
        const sentence = cut.replace(/^\s*(?:[-*•]|\d{1,3}[.)])\s+/, '').trim();
        const isShort = sentence.length >= 20 && sentence.length <= 200;
        if (isShort && rule.test(sentence) && /^\p{L}/u.test(sentence) && !/[?{}<>|]/.test(sentence))
          rules.add(sentence);
      }
  });
  return [...rules];
}
