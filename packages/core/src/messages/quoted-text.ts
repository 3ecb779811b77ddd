import { isTextPart, type Part, type TextPart } from './message.ts';

/**
 * Our own tags. A picture next to a `harness-message` may come from a person; next to `tool-material`, it comes from
 * the tool.
 */
export type QuoteTag = 'harness-message' | 'tool-material';
const opening: RegExp = /<(harness-message|tool-material)>\n/g;

/** A text split into a person's own words and the quoted blocks around them. */
export interface SeparatedText {
  readonly own: string;
  readonly quoted: readonly string[];
  /**
   * True when a block is tool output or a harness note. Pictures next to the block then belong to the harness as well.
   */
  readonly observed: boolean;
}

/** Wraps text that no person wrote in a tag, to separate it from a person's words around it. */
export function quoteText(text: string, tag: QuoteTag): string {
  // Breaks inner closing tags, which would end the block early. The space prevents the parts from forming a new tag. A
  // handoff inside is data up to the end of its text, so its begin mark would take the person's words after the block.
  const inner = text.replaceAll(`</${tag}>`, ' ').replaceAll('[CONTEXT HANDOFF', '[ CONTEXT HANDOFF');
  return `<${tag}>\n${inner}\n</${tag}>`;
}

/**
 * Quotes every text of a content with {@link quoteText}. Other parts come first, so that a person's content can only
 * follow the last quoted text.
 */
export function quoteContent(content: string | readonly Part[], tag: QuoteTag): string | readonly Part[] {
  if (typeof content === 'string') return quoteText(content, tag);
  const texts = content.filter((part): part is TextPart => Boolean(part && isTextPart(part) && part.text.trim()));
  const others = content.filter((part) => part && !isTextPart(part));
  return [...others, ...texts.map((part): Part => ({ ...part, text: quoteText(part.text, tag) }) as Part)];
}

/**
 * Separates the blocks that {@link quoteText} wrote. They contain no inner closing tag, so their content cannot confuse
 * this. Linear time.
 */
export function separateQuotes(text: string): SeparatedText {
  const quoted: string[] = [];
  let own = '';
  let from = 0;
  let observed = false;
  opening.lastIndex = 0;
  for (let found = opening.exec(text); found; found = opening.exec(text)) {
    const closing = `\n</${found[1]}>`;
    const end = text.indexOf(closing, found.index);
    own += text.slice(from, found.index);
    // Users do not type these tags. A block whose end was cut off extends to the end of the text.
    from = end < 0 ? text.length : end + closing.length;
    quoted.push(text.slice(found.index, from));
    observed ||= found[1] === 'tool-material';
    opening.lastIndex = from;
  }
  return { own: own + text.slice(from), quoted, observed };
}
