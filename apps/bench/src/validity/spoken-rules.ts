import { contentText, isRequest, type Message } from '@palimpsest/core';

/** True when the text stands, letter for letter, in what a model is shown of some message. */
export function isInContext(messages: readonly Message[], text: string): boolean {
  return messages.some(({ content }) => contentText(content).includes(text));
}

// Told apart from what the summaries look for on purpose: short sentences in which a person forbids or demands something for good.
const rule = /(?:^|\s)(?:never|always|do not|don't|must|must not|make sure|from now on|only ever)\s/i;

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
      for (const sentence of line.split(/(?<=[.!?])\s+/))
        if (sentence.length >= 20 && sentence.length <= 200 && rule.test(sentence) && !/[?{}<>|]/.test(sentence))
          rules.add(sentence.replace(/^\s*(?:[-*•]|\d{1,3}[.)])\s+/, '').trim());
  });
  return [...rules];
}
