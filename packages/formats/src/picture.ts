import type { Part } from '@palimpsest/core';
import { isRecord } from '@palimpsest/core/authoring';
import { fieldsOf } from './record.ts';

/** An image in any dialect: base64 with a media type, or a link. */
export type Picture = { readonly data: string; readonly mediaType: string } | { readonly url: string };

/** Reads an image part of OpenAI, Anthropic, the AI SDK or MCP; `null` for anything else. */
export function pictureOf(part: Part): Picture | null {
  const fields = fieldsOf(part);
  if (part.type === 'image_url') return read(isRecord(fields.image_url) ? fields.image_url.url : fields.image_url);
  if (part.type === 'input_image') return read(fields.image_url);
  if (part.type === 'image' && 'image' in fields) return read(fields.image, fields.mediaType);
  if (part.type === 'image' && isRecord(fields.source)) return readSource(fields.source);
  if (part.type === 'image' && 'data' in fields) return read(fields.data, fields.mimeType ?? 'image/png');
  return null;
}

function readSource({ type, media_type: mediaType, data, url }: ReturnType<typeof fieldsOf>): Picture | null {
  if (type === 'base64' && typeof data === 'string') return { data, mediaType: text(mediaType) ?? 'image/png' };
  return type === 'url' && typeof url === 'string' ? { url } : null;
}

function read(source: unknown, mediaType?: unknown): Picture | null {
  if (source instanceof URL) return read(source.href, mediaType);
  if (typeof source !== 'string') return null;
  const found = /^data:([^;,]{1,100});base64,/.exec(source);
  if (found) return { data: source.slice(found[0].length), mediaType: found[1]! };
  if (/^https?:/.test(source)) return { url: source };
  return mediaType === undefined ? null : { data: source, mediaType: text(mediaType) ?? 'image/png' };
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Returns an image as a data URL or a link. */
export function pictureUrl(picture: Picture): string {
  return 'data' in picture ? `data:${picture.mediaType};base64,${picture.data}` : picture.url;
}
