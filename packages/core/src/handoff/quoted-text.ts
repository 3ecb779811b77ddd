import { isTextPart, type Part, type TextPart } from '../messages/message.ts';

/** Our own tags. A picture next to a `harness-message` may be a person's; one next to `tool-material` is the tool's. */
export type QuoteTag = 'harness-message' | 'tool-material';
const opening: RegExp = /<(harness-message|tool-material)>\n/g;

/** A text split into a person's own words and the quoted blocks around them. */
export interface SeparatedText {
  readonly own: string;
  readonly quoted: readonly string[];
  /** True when a block is tool output or a harness note. A picture next to it then belongs to the harness as well. */
  readonly observed: boolean;
}

/** Puts text that no person wrote into a tag, so that it can be told apart from a person's words around it. */
export function quoteText(text: string, tag: QuoteTag): string {
  // An inner closing tag would end the block early. The space keeps the text around it from forming a new one.
  return `<${tag}>\n${text.replaceAll(`</${tag}>`, ' ')}\n</${tag}>`;
}

/**
 * Quotes every text of a content with {@link quoteText}. Other parts come first, so that the last quoted text marks the
 * end of everything that is not a person's.
 */
export function quoteContent(content: string | readonly Part[], tag: QuoteTag): string | readonly Part[] {
  if (typeof content === 'string') return quoteText(content, tag);
  const texts = content.filter((part): part is TextPart => Boolean(part && isTextPart(part) && part.text.trim()));
  const others = content.filter((part) => part && !isTextPart(part));
  return [...others, ...texts.map((part): Part => ({ ...part, text: quoteText(part.text, tag) }) as Part)];
}

/** The rest of a content after the leading harness messages that {@link quoteContent} wrote. */
export function afterQuotes(content: string | readonly Part[]): string | readonly Part[] {
  if (typeof content === 'string') {
    let from = 0;
    for (let end = quoteEnd(content, from); end > 0; end = quoteEnd(content, from))
      from = content.startsWith('\n\n', end) ? end + 2 : end;
    return content.slice(from);
  }
  const last = content.findLastIndex((part) => part && isTextPart(part) && quoteEnd(part.text, 0) === part.text.length);
  return content.slice(last + 1);
}

/**
 * Separates the blocks that {@link quoteText} wrote. They contain no inner closing tag, so this is safe to do first,
 * whatever they contain. Linear.
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
    if (end === -1) break;
    own += text.slice(from, found.index);
    from = end + closing.length;
    quoted.push(text.slice(found.index, from));
    observed ||= found[1] === 'tool-material';
    opening.lastIndex = from;
  }
  return { own: own + text.slice(from), quoted, observed };
}

/** The end of the harness message that begins at `from`; -1 when none does. */
function quoteEnd(text: string, from: number): number {
  if (!text.startsWith('<harness-message>\n', from)) return -1;
  const closing = '\n</harness-message>';
  const end = text.indexOf(closing, from);
  return end < 0 ? -1 : end + closing.length;
}
