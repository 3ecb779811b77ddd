import { isRequest } from '@palimpsest/agents';
import { contentText, type Message } from '@palimpsest/core';

/** Returns true if the content of some message contains the text verbatim. */
export function isInContext(messages: readonly Message[], text: string): boolean {
  return messages.some(({ content }) => contentText(content).includes(text));
}

// Deliberately independent of the patterns that the summaries use: short sentences in which a person forbids or demands
// something permanently, as an instruction and not as a statement ("I don't remember").
const rule =
  /(?:^|[,;:.] |\b(?:and|but|so|then|please) )(?:never|always|do not|don't|make sure|from now on|only ever)\s|\bmust\s/i;

/**
 * Finds English sentences in which users of a real transcript state a rule. Texts over 4,000 characters are skipped: they
 * are prompts of a harness or pasted.
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
