import { type Content, isTextPart, type Part } from '@palimpsest/core';
import { pictureOf } from '../picture.ts';
import type { OllamaMessage } from './conversation.ts';

/** How pictures begin in base64. */
const signatures: readonly (readonly [start: string, mediaType: string])[] = [
  ['/9j/', 'image/jpeg'],
  ['R0lG', 'image/gif'],
  ['UklG', 'image/webp'],
];

/** Reads the text and the pictures of a message. */
export function contentIn({ content, images }: OllamaMessage): Content {
  const text = typeof content === 'string' ? content : '';
  if (!images || images.length === 0) return text;
  const pictures = images.map((image) => {
    const [, mediaType = 'image/png'] = signatures.find(([start]) => image.startsWith(start)) ?? [];
    return { type: 'image', image, mediaType } as Part;
  });
  return text === '' ? pictures : [{ type: 'text', text } as Part, ...pictures];
}

/** Writes a content: one text, and the pictures beside it. */
export function contentFields(content: Content): Pick<OllamaMessage, 'content' | 'images'> {
  if (!Array.isArray(content)) return { content: typeof content === 'string' ? content : '' };
  const texts: string[] = [];
  const images: string[] = [];
  for (const part of content as readonly Part[]) {
    const picture = pictureOf(part);
    if (isTextPart(part)) texts.push(part.text);
    else if (picture && 'data' in picture) images.push(picture.data);
    else texts.push(`[${part.type}: cannot be shown here]`);
  }
  return { content: texts.join('\n'), ...(images.length > 0 && { images }) };
}
