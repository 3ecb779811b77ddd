import { jsonText } from '@palimpsest/core/authoring';
import type { Fields } from '../record.ts';
import type { Body, Wire } from './wire.ts';

/**
 * Appends messages or items to the bytes of a request. Everything before and after them stays as it was sent, so the
 * provider reads the beginning from its cache.
 * @param body the request, parsed
 * @param sent the request as it was sent
 * @returns `null` when the list cannot be found in the bytes
 */
export function appendItems(
  { list: field }: Pick<Wire, 'list'>,
  body: Body,
  sent: string | Uint8Array,
  items: readonly Fields[],
): string | null {
  const list = body[field];
  if (!Array.isArray(list) || list.length === 0) return null;
  const text = typeof sent === 'string' ? sent : new TextDecoder().decode(sent);
  const written = `"${field}":${jsonText(list)}`;
  const at = text.indexOf(written);
  // A second match could be a quotation in the conversation; JSON inside a string has its quotes escaped.
  if (at < 0 || text.includes(written, at + 1)) return null;
  const end = at + written.length - 1;
  return `${text.slice(0, end)},${items.map((item) => jsonText(item)).join(',')}${text.slice(end)}`;
}
