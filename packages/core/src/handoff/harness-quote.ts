import { isRemovedMedia } from '../messages/media-placeholder.ts';
import { asParts, isTextPart, type Part, type TextPart } from '../messages/message.ts';
import { quoteText } from '../messages/quoted-text.ts';

const begin = '<harness-message>\n';
const end = '\n</harness-message>';

/** True for a picture, a recording or a file, or the placeholder of a removed one. */
export function isMediaPart(part: Part | null | undefined): part is Part {
  return Boolean(part) && (!isTextPart(part!) || isRemovedMedia(part!.text));
}

/** Quotes harness messages: media first, then one `<harness-message>` block with all text, which may be empty. */
export function quoteHarness(content: string | readonly Part[]): string | readonly Part[] {
  if (typeof content === 'string') return quoteText(content, 'harness-message');
  const texts = content.filter((part): part is TextPart => Boolean(part) && isTextPart(part) && !isMediaPart(part));
  const text = texts.map((part) => part.text).join('\n\n');
  return [...content.filter(isMediaPart), { type: 'text', text: quoteText(text, 'harness-message') } as Part];
}

/** Returns the content after a leading block that {@link quoteHarness} wrote; the content itself if there is none. */
export function afterHarnessQuote(content: string | readonly Part[]): string | readonly Part[] {
  if (typeof content === 'string') return afterBlock(content) ?? content;
  const at = content.findIndex((part) => part && !isMediaPart(part));
  const part = content[at];
  const rest = part && isTextPart(part) ? afterBlock(part.text) : null;
  if (rest === null) return content;
  const following = content.slice(at + 1);
  if (rest === '') return following.length === 0 ? '' : following;
  // Carried text is in the same part as the block.
  return following.length === 0 ? rest : [{ ...part, text: rest } as Part, ...following];
}

/** Returns what {@link quoteHarness} quoted at the start of the content, or `null` if it starts otherwise. */
export function harnessQuote(content: string | readonly Part[]): string | null {
  const first = asParts(content).find((part): boolean => Boolean(part) && !isMediaPart(part));
  const text = first && isTextPart(first) ? first.text : '';
  const closing = text.startsWith(begin) ? text.indexOf(end, begin.length - 1) : -1;
  return closing < 0 ? null : text.slice(begin.length, closing);
}

function afterBlock(text: string): string | null {
  const closing = text.startsWith(begin) ? text.indexOf(end, begin.length - 1) : -1;
  if (closing < 0) return null;
  const rest = text.slice(closing + end.length);
  return rest.startsWith('\n\n') ? rest.slice(2) : rest;
}
