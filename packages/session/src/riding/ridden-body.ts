import { jsonText } from '@palimpsest/core/authoring';
import type { Body, WireFormat } from '../wire/wire-format.ts';
import type { WireRequest } from './last-request.ts';

const messageOf: Readonly<Record<WireFormat, (text: string) => Body>> = {
  'openai-chat': (content) => ({ role: 'user', content }),
  'openai-responses': (text) => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] }),
  anthropic: (content) => ({ role: 'user', content }),
};

/**
 * The bytes of a request with one more message at the end of its list. Everything before and after that message stays as it
 * was sent.
 * @returns `null` when the list cannot be found in the bytes
 */
export function riddenBody(
  { format, body, sent }: Pick<WireRequest, 'body' | 'format' | 'sent'>,
  instruction: string,
): string | null {
  const list = body[format.list];
  if (!Array.isArray(list) || list.length === 0) return null;
  const text = typeof sent === 'string' ? sent : new TextDecoder().decode(sent);
  const written = `"${format.list}":${jsonText(list)}`;
  const at = text.indexOf(written);
  // A second match could be a quotation in the conversation; JSON inside a string has its quotes escaped.
  if (at < 0 || text.includes(written, at + 1)) return null;
  const end = at + written.length - 1;
  return `${text.slice(0, end)},${jsonText(messageOf[format.name](instruction))}${text.slice(end)}`;
}
