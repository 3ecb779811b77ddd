import type { SeparatedText } from './quoted-text.ts';

/** Matches the begin mark of a handoff at the end of a line. */
const begin: RegExp = /\[CONTEXT HANDOFF v\d{1,3}, \d{1,9} characters\][^\S\n]*$/m;
const end = '[END OF CONTEXT HANDOFF v';

/**
 * Separates handoffs from texts in which engines put none: in the middle of a text, in a later part, after another
 * handoff, or with a checksum that does not match. Somebody quoted, edited or forged it, so it is data up to the end of
 * its text, or of the text with its end mark. Linear time.
 */
export function separateHandoffs(texts: readonly string[]): SeparatedText[] {
  let isOpen = false;
  return texts.map((text) => {
    const from = isOpen ? 0 : text.search(begin);
    if (from < 0) return { own: text, quoted: [], observed: false };
    isOpen = !text.includes(end, from);
    return { own: text.slice(0, from), quoted: [text.slice(from)], observed: false };
  });
}
