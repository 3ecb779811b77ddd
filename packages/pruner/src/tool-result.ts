import { type Content, isTextPart, type Part } from '@palimpsest/core';
import { isPlaceholder } from './placeholder.ts';

/** The content of a tool result with its text replaced by one line; parts that are no text stay, placeholders too. */
export function withText(content: Content, line: string): Content {
  if (!Array.isArray(content)) return line;
  const others = (content as readonly Part[]).filter((part) => part && (!isTextPart(part) || isPlaceholder(part.text)));
  return others.length === 0 ? line : [{ type: 'text', text: line } as Part, ...others];
}

/** The text of a tool result without placeholders that stand beside it, such as those of removed images. */
export function ownText(content: Content): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  const texts: string[] = [];
  for (const part of content as readonly Part[])
    if (part && isTextPart(part) && !isPlaceholder(part.text)) texts.push(part.text);
  return texts.join('\n');
}
