import { type Content, isTextPart, type Part } from '@palimpsest/core';

/** Matches lines in brackets that mark removed tool output, as written by this and other systems. */
const placeholders =
  /^\[(?:(?:Old )?tool (?:output|result)s?\b|Duplicate tool output\b|image(?:s)? removed\b|screenshot removed\b|content cleared\b|No result was recorded)/i;

/** Replaces the text of a tool result. Parts that are not text stay, and so do placeholders next to the text. */
export function withText(content: Content, text: string): Content {
  if (!Array.isArray(content)) return text;
  const others = (content as readonly Part[]).filter((part) => part && (!isTextPart(part) || isPlaceholder(part.text)));
  return others.length === 0 ? text : [{ type: 'text', text } as Part, ...others];
}

/** Returns the text of a tool result without placeholders next to it, such as those of removed images. */
export function ownText(content: Content): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  const texts: string[] = [];
  for (const part of content as readonly Part[])
    if (part && isTextPart(part) && !isPlaceholder(part.text)) texts.push(part.text);
  return texts.join('\n');
}

/** True for a text that this or another system put in place of removed tool output. */
export function isPlaceholder(text: string): boolean {
  return text.length <= 400 && placeholders.test(text);
}

/** Returns a placeholder without details about the call, as in other prune-then-compact systems. */
export function plainPlaceholder(characters: number): string {
  return `[Tool output pruned - was ${characters} chars]`;
}
