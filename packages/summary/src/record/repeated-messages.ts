import { requestIntent } from '../work-record/requests/open-requests.ts';

/** Characters that are compared. Longer messages that begin the same count as one. */
const compared = 400;

/**
 * Tells which messages of the user a list can lose first, in order: those that a later one repeats, up to numbers, case
 * and punctuation, and those that are only thanks or say "go on". What is said once may be a fact or a correction.
 */
export function expendableMessages(texts: readonly string[]): boolean[] {
  const later = new Set<string>();
  const expendable = texts.map(() => false);
  for (let at = texts.length - 1; at >= 0; at--) {
    const text = texts[at]!;
    const words = wordsOf(text);
    const intent = requestIntent(text);
    expendable[at] = intent === 'thanks' || intent === 'agreement' || later.has(words);
    later.add(words);
  }
  return expendable;
}

/** The words of a text, without what differs between repetitions. */
function wordsOf(text: string): string {
  return text
    .slice(0, compared)
    .toLowerCase()
    .replace(/\p{N}+/gu, '0')
    .replace(/[^\p{L}0]+/gu, ' ')
    .trim();
}
